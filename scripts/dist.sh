#!/usr/bin/env bash
# dist.sh BUILD FOLDER: packs what was built in BUILD into FOLDER/polygraphy-<version>-<system>.tar.gz: the
# executable, its plugins, completions, the man page, and the licences of what is linked into it. It runs
# on any Linux with glibc 2.35, unpacked anywhere; runtimes are those of the user's Python environment
# (pip install onnxruntime openvino) or are named by options. Refuses to pack what needs a newer glibc.
set -euo pipefail
folder=$(realpath "$2")
build=$(realpath "$1")
# Brings the licences into the set-up's folder, with its lock and its steps.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for part in common pins; do
  # shellcheck disable=SC1090
  . "$here/setup/$part.sh"
done

# Of what the system's packages bring; onnx and base64 bring theirs in their sources.
fetch_licences() {
  local package
  for package in libprotozero-dev libfmt-dev libpcre2-dev libdeflate-dev libxxhash-dev libyaml-dev \
    libprotobuf-dev; do
    cp "/usr/share/doc/$package/copyright" "$1/${package%-dev}.txt"
  done
  sdist onnx "$onnx_version"
  cp onnx-*/LICENSE "$1/onnx.txt"
  sdist pybase64 "$pybase64_version"
  cp pybase64-*/base64/LICENSE "$1/base64.txt"
}
step licences "onnx $onnx_version, base64 $pybase64_version" fetch_licences

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=polygraphy-$version-linux-$(uname -m)
cmake --install "$build" --component program --strip --prefix "$work/$name" >"$work/log" ||
  { cat "$work/log"; exit 1; }
cp -r "$deps/licences" "$work/$name/share/doc/polygraphy/"
"$here/check_binaries.py" portable "$work/$name"/bin/* "$work/$name"/lib/polygraphy/backends/*.so ||
  die "build it on a system with glibc 2.35 or 2.36 (Ubuntu 22.04, Debian 12)"
tar -C "$work" --owner=0 --group=0 --sort=name -czf "$folder/$name.tar.gz" "$name"
say "$(du -h "$folder/$name.tar.gz" | tr '\t' ' ')"
