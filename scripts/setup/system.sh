# shellcheck shell=bash
# System packages. Looked up one by one first: on a machine that has them nothing is run.

# system_packages PURPOSE PACKAGE...: installs what is missing, or says what to install.
system_packages() {
  local purpose=$1 missing=() sudo=()
  shift
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian or Ubuntu machine: assuming that these are there: $*"
    return
  fi
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
      sudo=(sudo)
    else
      die "these packages are missing for $purpose: ${missing[*]}" \
        "as root: apt-get install --no-install-recommends ${missing[*]}" \
        "then run this again"
    fi
  fi
  say "installing for $purpose: ${missing[*]}"
  {
    "${sudo[@]}" apt-get update -qq &&
      "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null
  } >"$deps/apt.log" 2>&1 || {
    tail -n 20 "$deps/apt.log" >&2
    die "apt-get could not install them: see above" \
      "(Ubuntu: some are in the universe component: add-apt-repository universe)"
  }
}

# The oldest compiler that knows enough C++20; distributions with an older default have a newer one.
compiler_package() {
  local major
  major=$(g++ -dumpversion 2>/dev/null | cut -d. -f1) || true
  if [ -n "$major" ] && [ "$major" -lt 12 ]; then echo g++-12; else echo g++; fi
}
