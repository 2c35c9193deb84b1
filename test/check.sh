#!/usr/bin/env bash
# check.sh FILE [OPTION...] -- FLAGS: lints FILE and compares
#   CHECK-MESSAGES lines with the findings and their notes; no other warning
#   CHECK-FIXES    lines with the file after --fix, when there are any
# What --fix leaves, if it changes anything, compiles and settles: see settles.sh.
set -euo pipefail
file=$1
shift
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

status=0
"$TENSORTIDY" --quiet --use-color=0 --export-fixes="$out/fixes" "$file" "$@" >"$out/messages" || status=$?
if ((status > 1)); then
  cat "$out/messages"
  exit $status
fi
if grep -q CHECK-MESSAGES "$file"; then
  "$FILECHECK" "$file" --check-prefix=CHECK-MESSAGES --implicit-check-not='{{warning|error}}:' <"$out/messages"
else
  bash "$(dirname "$0")/silent.sh" "$file" "$@"
fi
if grep -q CHECK-FIXES "$file" || grep -qs ReplacementText "$out/fixes"; then
  # Without the expectations themselves, which would match.
  fixed=$out/$(basename "$file")
  sed 's|// *CHECK-[A-Z-]*:.*||' "$file" >"$fixed"
  "$TENSORTIDY" --quiet --use-color=0 --fix "$fixed" "$@" -iquote "$(dirname "$file")" >/dev/null || (($? == 1))
  if grep -q CHECK-FIXES "$file"; then
    "$FILECHECK" "$file" --check-prefix=CHECK-FIXES <"$fixed"
  fi
  bash "$(dirname "$0")/settles.sh" "$fixed" "$@" -iquote "$(dirname "$file")"
fi
