#!/bin/sh
# docs_test.sh SOURCE BIN: runs the commands of docs/reduce.md, one after the other, beside the models of the examples.
set -eu
PATH=$(cd "$2" && pwd):$PATH
export PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$1"/examples/debugging/models/*.onnx "$work"
sed -n '/^```sh$/,/^```$/p' "$1/docs/reduce.md" | grep '^polygraphy ' >"$work/commands"
cd "$work"
[ "$(wc -l <commands)" -ge 6 ]
while read -r command; do
  rm -f reduced.onnx
  echo "$command"
  sh -c "$command" </dev/null >log 2>&1 || { cat log; exit 1; }
  [ -s reduced.onnx ]
done <commands
[ -x for_you/check.sh ]
