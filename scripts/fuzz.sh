#!/usr/bin/env bash
# Runs every fuzz target under libFuzzer, FUZZ_SECONDS (60) each, as many at once as there are
# processors. No input may take more than 1 GB of memory, AddressSanitizer's share included, nor 256
# MB at once. Starts from fuzz/corpus/; what it finds goes to build/fuzz/corpus/, crashing inputs to
# build/fuzz/crashes/. Exit 1 when a target crashed, hung or ran out of memory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh developer
scripts/build.sh fuzz fuzz_targets
mkdir -p build/fuzz/crashes

run_one() {
  local target=$1 name corpus log
  name=$(basename "$target")
  corpus=${name%_fuzz}
  log=build/fuzz/$name.log
  mkdir -p "build/fuzz/corpus/$corpus"
  if "$target" -max_total_time="$FUZZ_SECONDS" -timeout=20 -rss_limit_mb=1024 -malloc_limit_mb=256 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/crashes/$name-" \
    "build/fuzz/corpus/$corpus" "fuzz/corpus/$corpus" >"$log" 2>&1; then
    printf '%s: %s inputs tried, nothing found\n' "$name" \
      "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")"
  else
    tail -n 40 "$log"
    printf '%s: FAILED, see %s\n' "$name" "$log"
    return 1
  fi
}
export -f run_one
export FUZZ_SECONDS=${FUZZ_SECONDS:-60}
find build/fuzz/fuzz -maxdepth 1 -name '*_fuzz' -type f -print0 | sort -z |
  xargs -0 -r -n 1 -P "$(nproc)" bash -c 'run_one "$0"'
