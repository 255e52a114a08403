#!/usr/bin/env bash
# test.sh PRESET [quick|threads|K/N]: builds and runs all tests, those labelled "quick" first: those of
# ctest, and with the release preset those of the folders in `folders`. With "quick" or "threads", only
# what is labelled so; with K/N, each N-th test and folder from the K-th on, where all of them take too
# long, as under sanitizers. Says how long each part took, and ends with the line "N passed, M failed";
# exit 1 when a test failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1 tier=${2:-} share=1/1
case $tier in
  */*) share=$tier tier= ;;
esac
build=build/$preset
results=$build/test-results
status=0
all_folders=(frameworks metrics attacks browser agents sandbox sensitivity cluster llm failures parity)

folders=()
for ((i = ${share%/*} - 1; i < ${#all_folders[@]}; i += ${share#*/})); do folders+=("${all_folders[i]}"); done

# part NAME COMMAND...: a part of the work, and its time.
times=()
part() {
  local name=$1 begin=$SECONDS result=0
  shift
  "$@" || result=$?
  times+=("$(printf '%6d s  %s' $((SECONDS - begin)) "$name")")
  return $result
}
# tests NAME OPTION...: the tests of ctest that the options choose.
tests() {
  local name=$1
  shift
  ctest --test-dir "$build" -I "${share%/*},,${share#*/}" -j "$(nproc)" --output-on-failure --no-tests=error \
    --output-junit "test-results/ctest-$name.junit" "$@"
}
# python_tests NAME: those of tests/NAME, which run the built executable.
python_tests() {
  POLYGRAPHY="$PWD/$build/bin/polygraphy" PYTHONPATH="$PWD/.deps/parity" PYTHONDONTWRITEBYTECODE=1 \
    python3 -m pytest -q -p no:cacheprovider --junitxml "$results/$1.junit" "tests/$1"
}
# In the packages as they are built; the original of the same names runs in separate processes.
python_packages() {
  local built=$PWD/$build/python
  POLYGRAPHY="$PWD/$build/bin/polygraphy" \
    PYTHONPATH="$built/polygraphy_native/compat:$built:$PWD/.deps/parity" PYTHONDONTWRITEBYTECODE=1 \
    python3 -m pytest -q -p no:cacheprovider --junitxml "$results/python.junit" tests/python
}
reset() {
  rm -rf "$results"
  mkdir -p "$results"
}

[ "${CI:-}" != true ] || part "set-up for CI" scripts/setup.sh ci
# Before ctest: tests of scripts are skipped without its NumPy.
[ "$preset" != release ] || part "set-up of the original" scripts/setup_parity.sh
if [ -n "$tier" ]; then
  part "building the $tier tests" scripts/build.sh "$preset" "${tier}_tests"
  reset
  part "$tier tests" tests "$tier" -L "^$tier\$" || status=1
else
  part "building the quick tests" scripts/build.sh "$preset" quick_tests
  reset
  part "quick tests" tests quick -L '^quick$' || status=1
  part "building the rest" scripts/build.sh "$preset"
  part "slow tests" tests slow -LE '^quick$' || status=1
  [ "$preset" != release ] || part "tests of the Python packages" python_packages || status=1
  for folder in "${folders[@]}"; do
    [ "$preset" != release ] || part "tests/$folder" python_tests "$folder" || status=1
  done
fi
printf '%s\n' "${times[@]}"
scripts/summarize_tests.py "$results" || status=1
exit $status
