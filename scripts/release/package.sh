# shellcheck shell=bash
# What every script in packages/ begins with: `. package.sh TARBALL FOLDER`, for a tarball of dist.sh and the folder
# of the package. All packages are named polygraphy-native, as the wheel: the name polygraphy belongs to the original.
set -euo pipefail
umask 022
tarball=$(realpath "$1")
folder=$(realpath "$2")
release=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
SOURCE_DATE_EPOCH=$("$release/source_date.sh")
export SOURCE_DATE_EPOCH
name=polygraphy-native
summary=$(sed -n 's/^description = "\([^;"]*\).*/\1/p' "$release/../../pyproject.toml")
[[ $(basename "$tarball") =~ ^polygraphy-(.+)-linux-(x86_64|aarch64)\.tar\.gz$ ]] ||
  { echo "$tarball is not named as dist.sh names a tarball" >&2; exit 1; }
version=${BASH_REMATCH[1]} machine=${BASH_REMATCH[2]}
homepage=${POLYGRAPHY_HOMEPAGE:-https://example.org/polygraphy}
# Where the files of the release are, for packages that name them.
downloads=$homepage/releases/$version

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# unpack FOLDER: the tarball's bin, lib and share in the folder.
unpack() {
  mkdir -p "$1"
  tar -C "$1" --strip-components=1 --no-same-owner -xzf "$tarball"
}
# binaries FOLDER COMMAND...: runs the command on what was built, in an unpacked tarball.
binaries() { find "$1/bin" "$1/lib" -type f \( -name polygraphy -o -name '*.so' \) -exec "${@:2}" {} +; }
# glibc FOLDER: the oldest glibc that an unpacked tarball runs with.
glibc() { binaries "$1" readelf -VW | grep -o 'GLIBC_[0-9.]*' | sort -uV | sed -n '$s/GLIBC_//p'; }
# needs_libstdcxx FOLDER: whether it is linked with the system's.
needs_libstdcxx() { [[ $(binaries "$1" readelf -dW) == *'[libstdc++.so'* ]]; }
# reproducible_tar FOLDER: all that is in the folder, to standard output.
reproducible_tar() {
  tar -C "$1" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - .
}
# sha256 FILE
sha256() { sha256sum "$1" | cut -c1-64; }
# requires COMMAND PACKAGE
requires() { command -v "$1" >/dev/null || { echo "$1 is missing: apt-get install $2" >&2; exit 1; }; }
