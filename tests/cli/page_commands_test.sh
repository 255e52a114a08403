#!/bin/sh
# page_commands_test.sh SOURCE BIN MODELS PAGE COUNT FILE...: runs the commands in the sh blocks of a page, at
# least COUNT, with the variables that it sets. Each passes, or fails with a comparison that failed
# (bfloat16 differs from float32 where the processor has it). Afterwards the files are there.
set -eu
page=$1/$4
examples=$(cd "$1" && pwd)/examples
bin=$(cd "$2" && pwd)
model=$3/magika.onnx
count=$5
[ -f "$model" ] || exit 77
shift 5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Commands on several lines are joined.
sed -n '/^```sh/,/^```$/p' "$page" | sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' >"$work/block"
grep -E '^(polygraphy|seq) ' "$work/block" >"$work/commands"
# All but the model, which lies elsewhere.
grep -E "^[a-z]+='" "$work/block" >"$work/variables" || true
set -a
. "$work/variables"
set +a
cd "$work"
ln -s "$examples" examples
PATH=$bin:$PATH
export PATH model
[ "$(wc -l <commands)" -ge "$count" ]
while read -r command; do
  echo "$command"
  status=0
  sh -c "$command" </dev/null >log 2>&1 || status=$?
  if [ "$status" -gt 1 ] || grep -q '^\[!\]' log; then
    tail -n 50 log
    exit 1
  fi
done <commands
for file; do [ -s "$file" ]; done
