" vim -N -u NONE --not-a-term -S ale.vim FILE: opens FILE with ALE and the
" language server $SERVER as docs/editors.md says, and writes what ALE shows to
" $OUT as "CODE:LINE", or "no ALE".
set nomore
filetype plugin on
if empty($SETTINGS)
  let g:ale_linters = {'cpp': ['clangd']}
  let g:ale_cpp_clangd_executable = $SERVER
else
  source $SETTINGS
endif
set packpath+=/usr/share/vim/vimfiles
silent! packadd! ale
runtime! plugin/*.vim
if !exists('g:loaded_ale_dont_use_this_in_other_plugins_please')
  call writefile(['no ALE'], $OUT)
  qall!
endif
edit
let s:tries = 0
while s:tries < 600 && empty(ale#engine#GetLoclist(bufnr('')))
  sleep 200m
  let s:tries += 1
endwhile
let s:shown = filter(copy(ale#engine#GetLoclist(bufnr(''))), 'get(v:val, "code", "") =~# "^tensor-"')
call writefile(map(s:shown, 'v:val.code . ":" . v:val.lnum'), $OUT)
qall!
