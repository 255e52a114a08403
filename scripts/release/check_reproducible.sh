#!/usr/bin/env bash
# check_reproducible.sh: builds HEAD twice, without ccache, in folders of different lengths and under another
# user name, home, time zone, locale, umask, number of compilers, and, with faketime and disorderfs, on another day
# and with the files of folders in another order. Succeeds when wheels and tarball are the same bytes; it names the
# files that differ, and shows how where diffoscope is installed. Takes two full builds.
#
#   TARGETS="pg_base polygraphy_onnxrt"   builds only these targets of ninja, with the libraries of this checkout,
#                                         and compares what they have built
#   WORK=FOLDER                           where to build (a temporary folder, which is removed)
#
# Downloads of the set-up that are not linked in come from this checkout.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
deps=${PG_DEPS_DIR:-$root/.deps}
if [ -z "${WORK:-}" ]; then
  WORK=$(mktemp -d)
  trap 'undo_disorder; rm -rf "$WORK"' EXIT
else
  mkdir -p "$WORK"
  trap 'undo_disorder' EXIT
fi
trees=("$WORK/a" "$WORK/a-longer-name/of/the/same")
linked="onnx base64 protobuf-lite"

say() { printf '[reproducible] %s\n' "$*"; }
undo_disorder() {
  if grep -qF " ${trees[1]:-/nowhere} " /proc/mounts; then fusermount -u "${trees[1]}"; fi
}

# clone TREE: HEAD, and beside it what set-up has downloaded.
clone() {
  local tree=$1 name
  rm -rf "$tree"
  git -c safe.directory='*' clone -q --no-hardlinks "$root" "$tree"
  for name in $(cd "$deps/.stamps" && find . -type f -printf '%P\n'); do
    if [ -n "${TARGETS:-}" ] || [[ " $linked " != *" $name "* ]]; then
      mkdir -p "$(dirname "$tree/.deps/$name")" "$(dirname "$tree/.deps/.stamps/$name")"
      ln -s "$deps/$name" "$tree/.deps/$name"
      cp "$deps/.stamps/$name" "$tree/.deps/.stamps/$name"
    fi
  done
}

# disorder TREE: its folders list their files backwards from here on.
disorder() {
  mkdir -p "$1.ordered"
  mv "$1" "$1.ordered/tree"
  mkdir "$1"
  if ! disorderfs --reverse-dirents=yes "$1.ordered/tree" "$1" </dev/null >/dev/null 2>&1 ||
    ! timeout 10 test -e "$1/CMakeLists.txt"; then
    say "no other order of files: disorderfs cannot mount here"
    undo_disorder
    rmdir "$1"
    mv "$1.ordered/tree" "$1"
  fi
}

# build TREE: into TREE/made.
build() {
  cd "$1"
  mkdir made
  if [ -n "${TARGETS:-}" ]; then
    mkdir build
    cmake --preset release >build/configure.log
    # shellcheck disable=SC2086
    ninja -C build/release ${JOBS:+-j "$JOBS"} $TARGETS
    mkdir -p build/release/{bin,python}
    find build/release/{bin,lib,python} -type f \( -path '*/bin/*' -o -name '*.a' -o -name '*.so' \) -exec cp -t made {} +
  else
    scripts/release/wheel.sh made
    scripts/release/standing_in_wheels.sh made
    scripts/release/dist.sh build/release made
  fi
}

export CCACHE_DISABLE=1
unset SOURCE_DATE_EPOCH PG_DEPS_DIR CCACHE_BASEDIR
log=$WORK/build.log
for tree in "${trees[@]}"; do clone "$tree"; done
later=()
# Not the threads' clock, and not in a year: certificates of package mirrors are short-lived.
if command -v faketime >/dev/null; then later=(faketime -m --exclude-monotonic -f +20d); fi

say "first build ..."
(umask 022 && TZ=UTC LC_ALL=C build "${trees[0]}") >"$log" 2>&1 || { tail -n 40 "$log"; exit 1; }
say "second build ..."
if command -v disorderfs >/dev/null; then disorder "${trees[1]}"; fi
mkdir -p "$WORK/another home"
export -f build
export TARGETS=${TARGETS:-}
# shellcheck disable=SC2016
(
  umask 077
  env TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 USER=somebody LOGNAME=somebody HOME="$WORK/another home" JOBS=1 \
    "${later[@]}" bash -c 'set -euo pipefail; build "$1"' - "${trees[1]}"
) >"$log" 2>&1 || { tail -n 40 "$log"; exit 1; }

status=0
compared=0
for first in "${trees[0]}"/made/*; do
  second=${trees[1]}/made/$(basename "$first")
  compared=$((compared + 1))
  cmp -s "$first" "$second" && continue
  say "$(basename "$first") differs"
  status=1
  if command -v diffoscope >/dev/null; then
    diffoscope --text - "$first" "$second" | head -n 100 || true
  fi
done
[ "$compared" -gt 0 ] || { say "nothing was built"; exit 1; }
[ "$(ls "${trees[0]}/made")" = "$(ls "${trees[1]}/made")" ] || { say "other files were built"; status=1; }
[ $status != 0 ] || say "$compared files are the same in both builds"
exit $status
