-- Drives `kin lsp` with Neovim's own client, in a folder with sky.yaml and its lock:
--
--   KIN=…/kin CLIENT=…/client.lua nvim --headless -u NONE -n sky.yaml -c 'luafile nvim.lua'
--
-- Prints one line for each step, and `done` at the end.
local client = dofile(os.getenv('CLIENT'))
local ask, go_to, line_with, say, wait = client.ask, client.go_to, client.line_with, client.say, client.wait

client.show_diagnostic()
go_to('flaot')
client.fix()
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
say('completion: %s', client.labels())
client.finish()
