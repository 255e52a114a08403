#!/bin/sh
# A failure that comes and goes: run a command until it fails, and keep what it left behind.
# Left: bad/log 1
. "$(dirname "$0")/common.sh"

polygraphy debug repeat --until bad --iter-info iteration.json --artifacts log.txt --artifacts-dir kept \
  --check 'cp iteration.json log.txt; ! grep -q "iteration.: 3" iteration.json'

echo "Left: bad/log $(find kept/bad -name 'log_*_N3.txt' | wc -l | tr -d ' ')"
