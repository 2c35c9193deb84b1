#!/usr/bin/env bash
# silent.sh FILE [OPTION...] -- FLAGS: FILE has no findings, and not since it was not looked at: each function that
# mentions a tensor was analysed to its end.
set -euo pipefail
status=0
said=$("$TENSORTIDY" --quiet --use-color=0 --stats "$@" 2>&1) || status=$?
wanted='^functions analysed: ([0-9]+) of \1 \(100 %\)$'
if ((status != 0)) || ! grep -qE "$wanted" <<<"$said" || grep -qE '^functions analysed: 0 ' <<<"$said"; then
  echo "expected no findings in functions that are all analysed:"
  echo "$said"
  exit 1
fi
