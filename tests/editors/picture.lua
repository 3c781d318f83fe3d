-- Shows `kin lsp` at work in Neovim, for a picture: a mistake with its message, and what a group may name. In a folder with sky.yaml:
--
--   KIN=…/kin nvim -u NONE -n sky.yaml -c 'luafile picture.lua'
--
-- Writes what is on the screen into the file `shown`, and then waits to be ended.
vim.opt.termguicolors = true
vim.opt.number = true
vim.opt.showmode = false
vim.opt.completeopt = { 'menuone', 'noinsert' }
vim.cmd('syntax on | colorscheme desert')
for _, colours in ipairs({
  'Normal guibg=#202428', 'NonText guibg=#202428 guifg=#404448', 'SignColumn guibg=#202428', 'LineNr guifg=#606468',
  'Pmenu guibg=#343a40 guifg=#d8d8d8', 'PmenuSel guibg=#4a6078 guifg=#ffffff', 'StatusLine guibg=#343a40 guifg=#d8d8d8',
  'DiagnosticError guifg=#ff8080', 'DiagnosticUnderlineError gui=undercurl guisp=#ff8080',
}) do
  vim.cmd('highlight ' .. colours)
end
vim.diagnostic.config({ virtual_text = { prefix = ' ' }, signs = true, update_in_insert = true })

local id = vim.lsp.start_client({ name = 'kin', cmd = { os.getenv('KIN'), 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc'

local function write_screen()
  local lines = {}
  vim.cmd('redraw')
  for row = 1, vim.o.lines do
    local line = ''
    for column = 1, vim.o.columns do
      line = line .. vim.fn.screenstring(row, column)
    end
    lines[row] = line
  end
  vim.fn.writefile(lines, 'shown')
end

-- Completes at the end of the open list, as a person does with CTRL-X CTRL-O.
local function complete()
  vim.fn.search([[Position, \zs\] ]])
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes('i<C-x><C-o>', true, false, true), 'n', false)
end

local function when(condition, act)
  if condition() then
    act()
  else
    vim.defer_fn(function() when(condition, act) end, 50)
  end
end

when(function() return #vim.diagnostic.get(0) == 1 end, function()
  complete()
  when(function() return vim.fn.pumvisible() == 1 end, write_screen)
end)
