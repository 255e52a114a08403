#!/bin/sh
# tensorrt_docs_test.sh SOURCE BIN: runs the commands of docs/tensorrt.md; the scripts that they write are Python.
set -eu
PATH=$(cd "$2" && pwd):$PATH
export PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n '/^```sh$/,/^```$/p' "$1/docs/tensorrt.md" | grep '^polygraphy ' >"$work/commands"
cp "$1"/examples/debugging/models/two_branches.onnx "$work"
mkdir "$work/good" "$work/bad"
cp "$1"/fuzz/corpus/tactic_replay/two_layers.json "$work/good/first.json"
sed 's/"tactic": 2/"tactic": 3/' "$work/good/first.json" >"$work/bad/first.json"
cd "$work"
[ "$(wc -l <commands)" -ge 6 ]
while read -r command; do
  echo "$command"
  sh -c "$command" </dev/null >log 2>&1 || { cat log; exit 1; }
done <commands
grep -q "Layer: layer0" log
for script in network.py config.py profile.py compare.py; do
  python3 -c "import ast, sys; ast.parse(open(sys.argv[1]).read())" "$script"
done
