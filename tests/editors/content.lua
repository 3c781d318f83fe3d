-- Drives `kin lsp` with Neovim's own client in content/guns.yaml, beside town.yaml:
--
--   KIN=…/kin CLIENT=…/client.lua nvim --headless -u NONE -n content/guns.yaml -c 'luafile content.lua'
--
-- Prints one line for each step, and `done` at the end.
local client = dofile(os.getenv('CLIENT'))
local ask, go_to, line_with, say, wait = client.ask, client.go_to, client.line_with, client.say, client.wait

client.show_diagnostic()
go_to('heed')
client.fix()
say('fixed: %s', vim.trim(select(3, line_with('head:'))))

go_to('Gun: {')
say('hover: %s', ask('textDocument/hover').contents.value:match('%*%*(.-)%*%*'))
go_to('FastCannon: { at')
say('references: %d', #ask('textDocument/references', { context = { includeDeclaration = true } }))
vim.lsp.buf.rename('Rapid')
wait('rename', function() return line_with('Rapid: { at') end)
say('renamed: %s', vim.trim(select(3, line_with('Rapid:'))))

local last = vim.api.nvim_buf_line_count(0)
vim.api.nvim_buf_set_lines(0, last, last, false, { '      - ' })
vim.api.nvim_win_set_cursor(0, { last + 1, 8 })
say('completion: %s', client.labels())

go_to('Cannon,')
vim.lsp.buf.definition()
wait('definition', function() return vim.fn.expand('%:t') == 'town.yaml' end)
say('definition: %s', vim.trim(vim.api.nvim_get_current_line()))
client.finish()
