#!/usr/bin/env bash
# wheel.sh [FOLDER]: the wheel `polygraphy-native` in a folder (build/), as `pip install .` makes it: the
# executable, the engines' plugins and the Python packages. Its tag is that of systems with glibc 2.35,
# or "linux" where what was built here needs a newer one.
# The same sources and tools make the same bytes (check_reproducible.sh).
set -euo pipefail
folder=$(realpath -m "${1:-build}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rm -f "$folder"/polygraphy_native-*.whl
# Not in pip's own step, which hides the output.
scripts/build.sh release program polygraphy_native python_records
built=build/release
if scripts/check_binaries.py portable "$built/bin/polygraphy" "$built"/lib/polygraphy/backends/*.so \
  "$built/python/polygraphy_native/_native.abi3.so"; then
  # Of which scikit-build-core makes the tag.
  _PYTHON_HOST_PLATFORM=manylinux_2_35_$(uname -m)
  export _PYTHON_HOST_PLATFORM
fi
scripts/release/pip_wheel.sh "$folder" .
printf '[wheel] %s\n' "$folder"/polygraphy_native-*.whl
