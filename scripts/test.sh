#!/usr/bin/env bash
# test.sh PRESET: builds everything and runs all tests: those of ctest, and with the release preset
# those against the original (tests/parity). Ends with the line "N passed, M failed"; exit 1 when a
# test failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
build=build/$preset
[ "${CI:-}" != true ] || scripts/setup.sh ci
scripts/build.sh "$preset"
# Before ctest: tests of scripts are skipped without its NumPy.
[ "$preset" != release ] || scripts/setup_parity.sh
results=$build/test-results
rm -rf "$results"
mkdir -p "$results"

status=0
ctest --test-dir "$build" -j "$(nproc)" --output-on-failure --no-tests=error \
  --output-junit test-results/ctest.junit || status=1

if [ "$preset" = release ]; then
  POLYGRAPHY="$PWD/$build/bin/polygraphy" PYTHONPATH="$PWD/.deps/parity" PYTHONDONTWRITEBYTECODE=1 \
    python3 -m pytest -q -p no:cacheprovider --junitxml "$results/parity.junit" tests/parity ||
    status=1
fi
scripts/summarize_tests.py "$results" || status=1
exit $status
