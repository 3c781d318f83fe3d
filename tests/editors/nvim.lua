-- Drives `kin lsp` with Neovim's own client, in a folder with sky.yaml and its lock:
--
--   KIN=…/kin nvim --headless -u NONE -n sky.yaml -c 'luafile nvim.lua'
--
-- Prints one line for each step, and `done` at the end.
local function say(...)
  io.stdout:write(string.format(...) .. '\n')
end

local function wait(what, condition)
  if not vim.wait(10000, condition, 20) then
    say('no %s', what)
    vim.cmd('cquit!')
  end
end

local function line_with(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = line:find(text, 1, true)
    if at then
      return number, at - 1, line
    end
  end
end

local function go_to(text)
  local line, column = line_with(text)
  vim.api.nvim_win_set_cursor(0, { line, column })
end

local id = vim.lsp.start_client({ name = 'kin', cmd = { os.getenv('KIN'), 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)

local function ask(method, more)
  local parameters = vim.tbl_extend('force', vim.lsp.util.make_position_params(), more or {})
  local answers = vim.lsp.buf_request_sync(0, method, parameters, 10000)
  return answers[id].result
end

wait('diagnostic', function() return #vim.diagnostic.get(0) == 1 end)
local found = vim.diagnostic.get(0)[1]
say('diagnostic: %d:%d %s', found.lnum + 1, found.col + 1, found.message)

go_to('flaot')
local range = vim.lsp.util.make_range_params()
local actions = ask('textDocument/codeAction', { range = range.range, context = { diagnostics = {} } })
say('action: %s', actions[1].title)
vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
wait('end of the diagnostic', function() return #vim.diagnostic.get(0) == 0 end)
say('fixed: %s', vim.trim(select(3, line_with('float }'))))

go_to('Velocity]')
local hover = ask('textDocument/hover')
say('hover: %s', hover.contents.value:match('%*%*(.-)%*%*'))
say('references: %d', #ask('textDocument/references', { context = { includeDeclaration = true } }))

local wanted = line_with('Velocity:')
vim.lsp.buf.definition()
wait('definition', function() return vim.api.nvim_win_get_cursor(0)[1] == wanted end)
say('definition: line %d', wanted)

go_to('Velocity]')
vim.lsp.buf.rename('Speed')
wait('rename', function() return line_with('Speed]') end)
say('renamed: %s', vim.trim(select(3, line_with('Speed:'))))
say('renamed: %s', vim.trim(select(3, line_with('Speed]'))))
vim.wait(300)
say('diagnostics: %d', #vim.diagnostic.get(0))

local last = vim.api.nvim_buf_line_count(0)
vim.api.nvim_buf_set_lines(0, last, last, false, { '  still: { all: [' })
vim.api.nvim_win_set_cursor(0, { last + 1, 17 })
local labels = {}
for _, item in ipairs(ask('textDocument/completion').items) do
  labels[#labels + 1] = item.label
end
table.sort(labels)
say('completion: %s', table.concat(labels, ' '))
vim.lsp.stop_client(id)
say('done')
vim.cmd('qa!')
