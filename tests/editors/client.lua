-- Neovim's own client with `kin lsp`, and what the scripts beside this one say and wait for:
--
--   local client = dofile(os.getenv('CLIENT'))
local client = {}

vim.opt.virtualedit = 'all' -- the cursor may stand after the last letter, as when one types

function client.say(...)
  io.stdout:write(string.format(...) .. '\n')
end

function client.wait(what, condition)
  if not vim.wait(10000, condition, 20) then
    client.say('no %s', what)
    vim.cmd('cquit!')
  end
end

function client.line_with(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = line:find(text, 1, true)
    if at then
      return number, at - 1, line
    end
  end
end

function client.go_to(text)
  local line, column = client.line_with(text)
  vim.api.nvim_win_set_cursor(0, { line, column })
end

local id = vim.lsp.start_client({ name = 'kin', cmd = { os.getenv('KIN'), 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)

function client.ask(method, more)
  local parameters = vim.tbl_extend('force', vim.lsp.util.make_position_params(), more or {})
  local answers = vim.lsp.buf_request_sync(0, method, parameters, 10000)
  return answers[id].result
end

function client.labels()
  local labels = {}
  for _, item in ipairs(client.ask('textDocument/completion').items) do
    labels[#labels + 1] = item.label
  end
  table.sort(labels)
  return table.concat(labels, ' ')
end

-- Applies the only fix at the cursor, after which no message is left.
function client.fix()
  local range = vim.lsp.util.make_range_params()
  local actions = client.ask('textDocument/codeAction', { range = range.range, context = { diagnostics = {} } })
  client.say('action: %s', actions[1].title)
  vim.lsp.util.apply_workspace_edit(actions[1].edit, 'utf-16')
  client.wait('end of the diagnostic', function() return #vim.diagnostic.get(0) == 0 end)
end

function client.show_diagnostic()
  client.wait('diagnostic', function() return #vim.diagnostic.get(0) == 1 end)
  local found = vim.diagnostic.get(0)[1]
  client.say('diagnostic: %d:%d %s', found.lnum + 1, found.col + 1, found.message)
end

function client.finish()
  vim.lsp.stop_client(id)
  client.say('done')
  vim.cmd('qa!')
end

return client
