#!/usr/bin/env bash
# The wheel `polygraphy-native` in build/, as `pip install .` makes it: the executable, the engines'
# plugins and the Python packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/setup/common.sh
rm -f build/polygraphy_native-*.whl
# Not in pip's own step, whose output nobody sees.
scripts/build.sh release program polygraphy_native
pip wheel -q --no-deps -w build .
printf '[wheel] %s\n' build/polygraphy_native-*.whl
