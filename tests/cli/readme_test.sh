#!/bin/sh
# readme_test.sh SOURCE BIN MODELS: runs the commands of the README's list of things to try. Each passes, or
# fails with a comparison that failed (bfloat16 differs from float32 where the processor has it).
set -eu
bin=$(cd "$2" && pwd)
model=$3/magika.onnx
[ -f "$model" ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Commands on several lines are joined.
sed -e '1,/^## Eight things to try/d' -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' "$1/README.md" |
  grep '^polygraphy ' >"$work/commands"
bytes=$(sed -n "s/^bytes='\(.*\)'.*/\1/p" "$1/README.md")
cd "$work"
PATH=$bin:$PATH
export PATH model bytes
[ "$(wc -l <commands)" -ge 11 ]
while read -r command; do
  echo "$command"
  status=0
  sh -c "$command" </dev/null >log 2>&1 || status=$?
  if [ "$status" -gt 1 ] || grep -q '^\[!\]' log; then
    tail -n 50 log
    exit 1
  fi
done <commands
[ -s part.onnx ] && [ -s golden.json ]
