#!/usr/bin/env bash
# dist.sh BUILD FOLDER: packs what was built in BUILD into FOLDER/polygraphy-<version>-<system>.tar.gz: the
# executable, its plugins, completions, the man page, and the parts and licences of what is linked into it. It runs
# on any Linux with glibc 2.35, or 2.28 where BUILD is that of a platform (platform.sh), unpacked anywhere;
# runtimes are those of the user's Python environment (pip install onnxruntime openvino) or are named by options.
# Refuses to pack what needs a newer glibc.
# The same sources and tools make the same bytes (check_reproducible.sh).
set -euo pipefail
umask 022
folder=$(realpath "$2")
build=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
SOURCE_DATE_EPOCH=$("$here/source_date.sh")
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
read -r machine glibc platform <<<"$("$here/target_of.sh" "$build")"
name=polygraphy-$version-linux-$machine
cmake --install "$build" --component program --strip --prefix "$work/$name" >"$work/log" ||
  { cat "$work/log"; exit 1; }
documents=$work/$name/share/doc/polygraphy
# shellcheck disable=SC2086
"$here/licences.sh" "$documents/licences" $platform
# shellcheck disable=SC2086
"$here/sbom.py" write "$documents" $platform
"$here/../check_binaries.py" portable "$glibc" "$work/$name"/bin/* "$work/$name"/lib/polygraphy/backends/*.so ||
  { echo "build it on a system with glibc 2.35 or 2.36 (Ubuntu 22.04, Debian 12)" >&2; exit 1; }
tar -C "$work" --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
  --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" | gzip -9n >"$folder/$name.tar.gz"
printf '[dist] %s\n' "$(du -h "$folder/$name.tar.gz" | tr '\t' ' ')"
