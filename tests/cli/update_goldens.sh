#!/usr/bin/env bash
# update_goldens.sh [BUILD]: writes tests/cli/goldens/*.txt anew from what the command line prints now, with the
# tests of build/dev or another build folder. Look at the difference before committing it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${1:-build/dev}
ninja -C "$build" cli_test
POLYGRAPHY_UPDATE_GOLDENS=1 "$build/tests/cli_test" --gtest_filter='*GoldenTest*' --gtest_brief=1
git --no-pager diff --stat -- tests/cli/goldens
