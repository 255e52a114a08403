#!/usr/bin/env bash
# platform.sh PLATFORM [TARGET...]: builds for another platform, in build/PLATFORM: linux-x86_64 and linux-aarch64
# run on every Linux with glibc 2.28. On a machine of that platform, the objects are those of build/release, as
# ccache has them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
platform=$1
shift
for part in common pins system libraries platforms; do
  # shellcheck disable=SC1090
  . "scripts/setup/$part.sh"
done
set_up_platform "$platform"
exec 9>&-
if [ ! -e "build/$platform/build.ninja" ]; then
  mkdir -p build
  werror=()
  [ "${CI:-}" != true ] || werror=(-DPG_WERROR=ON)
  printf '[build] configuring build/%s\n' "$platform"
  cmake -S . -B "build/$platform" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPG_UNITS=ON -DPG_TESTS=OFF \
    -DCMAKE_TOOLCHAIN_FILE=cmake/platform.cmake -DPG_DEPS_DIR="$third_parties" "${werror[@]}" \
    -DPG_HOST_PROGRAM="$PWD/build/release/bin/polygraphy" >"build/$platform-configure.log" 2>&1 ||
    { cat "build/$platform-configure.log"; exit 1; }
fi
export NINJA_STATUS=${NINJA_STATUS-'[build %f/%t, %e s] '}
exec ninja -C "build/$platform" ${JOBS:+-j "$JOBS"} "$@"
