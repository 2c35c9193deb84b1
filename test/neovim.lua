-- nvim --headless --clean -c "luafile neovim.lua" FILE: opens FILE with the
-- language server $SERVER as a user's Neovim does, or as the file $SETTINGS has
-- it, and prints what it shows as
-- "CODE:LINE"; then applies the first quick fix offered and prints "fixed:" with
-- the line it changed. Any error ends with exit code 1.

local function run()
  local file = vim.api.nvim_buf_get_name(0)
  local client
  if os.getenv('SETTINGS') then
    dofile(os.getenv('SETTINGS'))
    vim.cmd('doautocmd FileType cpp')
    vim.wait(60000, function() return #vim.lsp.get_active_clients() > 0 end, 50)
    client = (vim.lsp.get_active_clients()[1] or {}).id
  else
    client = vim.lsp.start_client({ name = 'clangd', cmd = { os.getenv('SERVER'), '--log=error' }, root_dir = vim.fn.fnamemodify(file, ':h') })
    assert(client and vim.lsp.buf_attach_client(0, client), 'no client')
  end
  assert(client, 'no client')
  local function hover(line, column)
    local answer = vim.lsp.buf_request_sync(0, 'textDocument/hover', {
      textDocument = { uri = vim.uri_from_fname(file) }, position = { line = line, character = column },
    }, 60000)
    return answer and answer[client] and answer[client].result.contents.value or ''
  end
  local function found()
    return vim.tbl_filter(function(d) return d.source == 'tensortidy' end, vim.diagnostic.get(0))
  end
  assert(vim.wait(200000, function() return #found() > 0 end, 100), 'no diagnostics')
  for _, d in ipairs(found()) do
    print(string.format('%s:%d', d.code or d.user_data.lsp.code, d.lnum + 1))
  end
  local first = found()[1]
  assert(hover(first.lnum, first.col):find('**layout**', 1, true), 'no layout in hover: ' .. hover(first.lnum, first.col))
  for _, d in ipairs(found()) do
    local where = { start = { line = d.lnum, character = d.col }, ['end'] = { line = d.end_lnum, character = d.end_col } }
    local answer = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', {
      textDocument = { uri = vim.uri_from_fname(file) }, range = where,
      context = { diagnostics = { { range = where, message = d.message, code = d.user_data.lsp.code, source = d.source } }, only = { 'quickfix' } },
    }, 60000)
    local actions = answer and answer[client] and answer[client].result or {}
    assert(#actions > 0 or not d.message:find('fix'), 'no fix offered for ' .. d.message)
    for _, action in ipairs(actions) do
      local edit = action.edit or (action.arguments and action.arguments[1])
      if edit and edit.changes then
        local before = vim.api.nvim_buf_get_lines(0, d.lnum, d.lnum + 1, true)[1]
        vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
        local after = vim.api.nvim_buf_get_lines(0, d.lnum, d.lnum + 1, true)[1]
        assert(before ~= after, 'the fix changes nothing')
        print('fixed: ' .. after)
        return
      end
    end
  end
end

local ok, problem = pcall(run)
if not ok then
  print('error: ' .. vim.inspect(problem))
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
