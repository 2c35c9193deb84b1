#!/usr/bin/env bash
# exits.sh STATUS COMMAND...: succeeds when the command exits with just that.
expected=$1
shift
"$@"
status=$?
if ((status != expected)); then
  echo "exit status $status, expected $expected: $*" >&2
  exit 1
fi
