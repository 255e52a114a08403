#!/usr/bin/env bash
# tidy.sh [FILE...]: clang-tidy over all sources, or over the files named.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/setup.sh developer
[ -e build/tidy/build.ninja ] || cmake --preset tidy >/dev/null
files=("$@")
[ $# -gt 0 ] || mapfile -t files < <(git ls-files -- 'src/*.cpp' 'backends/*.cpp' 'tools/*.cpp' | grep -v '_fuzz\.cpp$')
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 -p build/tidy --quiet
