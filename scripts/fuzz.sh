#!/usr/bin/env bash
# fuzz.sh           runs every fuzz target under libFuzzer, FUZZ_SECONDS (60) each, as many at once as
#                   there are processors
# fuzz.sh coverage  prints instead how many lines of its reader each target reaches with its inputs,
#                   those included that fuzzing kept: of the sources with the target's name, or
#                   else of its folder
# No input may take more than 1 GB of memory, AddressSanitizer's share included, nor 256 MB at once.
# Starts from fuzz/corpus/; what it finds goes to build/fuzz/corpus/, crashing inputs to
# build/fuzz/crashes/. Exit 1 when a target crashed, hung or ran out of memory.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh developer
preset=fuzz do_one=run_one
[ "${1:-}" != coverage ] || preset=fuzz-coverage do_one=cover_one
scripts/build.sh "$preset" fuzz_targets
mkdir -p build/fuzz/{corpus,crashes}

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

cover_one() {
  local target=$1 name folder profile
  local -a corpora sources
  name=$(basename "$target" _fuzz)
  profile=build/fuzz-coverage/$name
  folder=$(dirname "$(find src backends -name "${name}_fuzz.cpp")")
  mapfile -t sources < <(find "$folder" -maxdepth 1 -name "$name*.cpp" ! -name '*_fuzz.cpp' \
    ! -name '*_test.cpp' | sort)
  [ "${#sources[@]}" -gt 0 ] || sources=("$folder")
  mapfile -t corpora < <(find {fuzz,build/fuzz}/corpus -maxdepth 1 -name "$name")
  if ! LLVM_PROFILE_FILE=$profile.profraw "$target" -runs=0 "${corpora[@]}" >"$profile.log" 2>&1; then
    printf '%s: FAILED, see %s\n' "$name" "$profile.log"
    return 1
  fi
  llvm-profdata-19 merge -o "$profile.profdata" "$profile.profraw"
  llvm-cov-19 report "$target" -instr-profile="$profile.profdata" "${sources[@]}" |
    awk -v name="$name" -v sources="${sources[*]}" \
      '/^TOTAL/ { printf "%s: %d %% of %d lines of %s\n", name, $10, $8, sources }'
}
export -f run_one cover_one
export FUZZ_SECONDS=${FUZZ_SECONDS:-60}
find "build/$preset/fuzz" -maxdepth 1 -name '*_fuzz' -type f -print0 | sort -z |
  xargs -0 -r -n 1 -P "$(nproc)" bash -c "$do_one \"\$0\""
