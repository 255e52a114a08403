#!/usr/bin/env bash
# wheel.sh [FOLDER [PLATFORM]]: the wheel `polygraphy-native` in a folder (build/), as `pip install .` makes it: the
# command, the engines' plugins and the Python packages. Its tag is that of systems with glibc 2.35,
# or "linux" where what was built here needs a newer one; for a PLATFORM (platform.sh), with glibc 2.28.
# The same sources and tools make the same bytes (check_reproducible.sh).
set -euo pipefail
folder=$(realpath -m "${1:-build}")
platform=${2:-}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rm -f "$folder"/polygraphy_native-*"${platform#linux-}".whl
# Not in pip's own step, which hides the output.
if [ -n "$platform" ]; then
  scripts/release/platform.sh "$platform" program polygraphy_native python_records
  export PG_PLATFORM=$platform
else
  scripts/build.sh release program polygraphy_native python_records
fi
built=build/${platform:-release}
read -r machine glibc _ <<<"$(scripts/release/target_of.sh "$built")"
if scripts/check_binaries.py portable "$glibc" "$built/python/launcher/polygraphy-native" "$built"/lib/polygraphy/backends/*.so \
  "$built/python/polygraphy_native/_native.abi3.so"; then
  # Of which scikit-build-core makes the tag.
  export _PYTHON_HOST_PLATFORM=manylinux_${glibc/./_}_$machine
fi
scripts/release/pip_wheel.sh "$folder" .
printf '[wheel] %s\n' "$folder"/polygraphy_native-*.whl
