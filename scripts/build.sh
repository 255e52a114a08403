#!/usr/bin/env bash
# build.sh PRESET [TARGET...]: set-up, configure where needed, build into build/PRESET.
# JOBS sets the number of parallel compilers (default: all processors).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift
scripts/setup.sh
if [ ! -e "build/$preset/build.ninja" ]; then
  # Distributions whose default compiler is too old have a newer one beside it.
  if [ -z "${CXX:-}" ] && [ "$(g++ -dumpversion | cut -d. -f1)" -lt 12 ]; then
    export CC=gcc-12 CXX=g++-12
  fi
  mkdir -p build
  printf '[build] configuring build/%s\n' "$preset"
  werror=()
  [ "${CI:-}" != true ] || werror=(-DPG_WERROR=ON)
  cmake --preset "$preset" "${werror[@]}" >"build/$preset-configure.log" 2>&1 ||
    { cat "build/$preset-configure.log"; exit 1; }
fi
export NINJA_STATUS=${NINJA_STATUS-'[build %f/%t, %e s] '}
exec ninja -C "build/$preset" ${JOBS:+-j "$JOBS"} "$@"
