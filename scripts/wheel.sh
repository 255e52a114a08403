#!/usr/bin/env bash
# wheel.sh [FOLDER]: the wheel `polygraphy-native` in a folder (build/), as `pip install .` makes it: the
# executable, the engines' plugins and the Python packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1:-build}
rm -f "$folder"/polygraphy_native-*.whl
# Not in pip's own step, which hides the output.
scripts/build.sh release program polygraphy_native
python3 -m pip wheel -q --no-deps -w "$folder" .
printf '[wheel] %s\n' "$folder"/polygraphy_native-*.whl
