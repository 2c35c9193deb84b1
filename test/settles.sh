#!/usr/bin/env bash
# settles.sh FILE [OPTION...] -- FLAGS: FILE, which --fix has changed, compiles, and fixing it again soon changes nothing.
# One fix may lead to another, but the same again and again mends nothing.
set -euo pipefail
file=$1
before=$(mktemp)
trap 'rm -f "$before"' EXIT
for _ in 1 2 3; do
  cp "$file" "$before"
  status=0
  messages=$("$TENSORTIDY" --quiet --use-color=0 --fix "$@" 2>&1) || status=$?
  if ((status > 1)); then
    echo "does not compile any more:"
    echo "$messages"
    exit 1
  fi
  cmp -s "$file" "$before" && exit 0
done
echo "--fix never ends:"
diff "$before" "$file"
