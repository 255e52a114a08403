#!/usr/bin/env bash
# fetch_deb.sh SUITE FOLDER PACKAGE: downloads one package of a suite of the distribution that this
# machine runs, without installing it and without touching the system's package lists.
# fetch_deb.sh --source SUITE FOLDER PACKAGE: the same for the files of a source package.
# The mirror is the one that the machine uses already. ARCHITECTURE=arm64: a package for another machine.
set -euo pipefail
kind=deb get=download
if [ "$1" = --source ]; then
  kind=deb-src get="source --download-only"
  shift
fi
suite=$1 folder=$(realpath -m "$2") package=$3

# No head or early exit in the pipe: apt-get dies of SIGPIPE, and pipefail makes that our failure.
mirror=$(apt-get indextargets --no-release-info --format '$(REPO_URI)|$(RELEASE)' \
  'Created-By: Packages' | grep -v -- '-security' | sed -n '1s/|.*//p')
[ -n "$mirror" ] || { echo "no package mirror is configured on this machine" >&2; exit 1; }

state=$folder/.apt-$suite
mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
keyring=
for candidate in /usr/share/keyrings/{debian,ubuntu}-archive-keyring.{gpg,pgp}; do
  [ -z "$keyring" ] && [ -e "$candidate" ] && keyring=$candidate
done
components=main
[ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] && components="main universe"
printf '%s [%s] %s %s %s\n' "$kind" "${keyring:+signed-by=$keyring}" "$mirror" "$suite" \
  "$components" >"$state/sources.list"
options=(-o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o "Dir::State::lists=$state/lists" -o "Dir::Cache=$state/cache" -o APT::Sandbox::User=root
  -o Acquire::Languages=none)
if [ -n "${ARCHITECTURE:-}" ]; then
  options+=(-o "APT::Architecture=$ARCHITECTURE" -o "APT::Architectures=$ARCHITECTURE")
fi
apt-get "${options[@]}" -qq update
cd "$folder"
# shellcheck disable=SC2086
apt-get "${options[@]}" -qq $get "$package"
rm -rf "$state"
