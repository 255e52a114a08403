#!/bin/sh
# docs_test.sh SOURCE BIN DOCUMENT LEAST MOST: runs the commands of a document on reducing, one after the other, beside the models of
# the examples. There are LEAST of them or more, and each leaves MOST nodes or fewer.
set -eu
PATH=$(cd "$2" && pwd):$PATH
export PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$1"/examples/debugging/models/*.onnx "$work"
sed -n '/^```sh$/,/^```$/p' "$1/docs/$3" | grep '^polygraphy ' >"$work/commands"
cd "$work"
[ "$(wc -l <commands)" -ge "$4" ]
while read -r command; do
  rm -f reduced.onnx
  echo "$command"
  sh -c "$command" </dev/null >log 2>&1 || { cat log; exit 1; }
  nodes=$(polygraphy inspect model reduced.onnx --show layers | grep -c '\[Op: ')
  [ "$nodes" -le "$5" ] || { cat log; exit 1; }
  case $command in *--reproduction*) [ -x for_you/check.sh ] ;; esac
done <commands
