#!/usr/bin/env bash
# not_built_test.sh CMAKE SOURCE WORK DEPS: installs from a build tree in which nothing is built.
set -euo pipefail
cmake=$1 source=$2 work=$3 deps=$4
rm -rf "$work"
mkdir -p "$work"
"$cmake" -S "$source" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPG_DEPS_DIR="$deps" >"$work/configure.log" ||
  { cat "$work/configure.log"; exit 1; }
for component in "" "--component program"; do
  # shellcheck disable=SC2086
  if "$cmake" --install "$work/build" --prefix "$work/prefix" $component >"$work/out" 2>&1; then
    echo "it was installed" >&2
    exit 1
  fi
  grep -q 'Nothing is installed' "$work/out" || { cat "$work/out"; exit 1; }
  [ -z "$(find "$work/prefix" -type f 2>/dev/null)" ] || { find "$work/prefix" -type f; exit 1; }
done
rm -rf "$work"
