#!/bin/sh
# run_all.sh BIN: runs every example in a separate folder, with BIN/polygraphy, and compares the last line that it prints with
# the line in its head.
bin=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
PATH=$bin:$PATH
export PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for example in "$here"/[0-9]*.sh; do
  name=$(basename "$example" .sh)
  mkdir "$work/$name"
  expected=$(sed -n 's/^# \(Left: .*\)/\1/p' "$example")
  (cd "$work/$name" && "$example") >"$work/$name.log" 2>&1
  actual=$(tail -n 1 "$work/$name.log" | sed 's/ *$//')
  if [ "$actual" = "$expected" ]; then
    echo "ok      $name"
  else
    echo "FAILED  $name: expected '$expected', got '$actual'"
    cat "$work/$name.log"
    failed=1
  fi
done
exit $failed
