#!/usr/bin/env bash
# dist_test.sh SOURCE BUILD WORK MODEL: packs the release, unpacks it into an empty folder, and runs it with an
# empty environment. Packed again by another user, it is the same. Skipped (77) where the system's glibc is too
# new to pack anything for others.
set -euo pipefail
source=$1 build=$2 work=$3 model=$4
version=$(getconf GNU_LIBC_VERSION | sed 's/[^0-9]*[0-9]*\.//')
[ "$version" -le 36 ] || { echo "glibc 2.$version is newer than 2.36"; exit 77; }

rm -rf "$work"
mkdir -p "$work/packed" "$work/unpacked"
"$source/scripts/release/dist.sh" "$build" "$work/packed"
# Another user packs the same bytes, in another place and time zone.
mkdir -p "$work/of another user"
(umask 077 && TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 "$source/scripts/release/dist.sh" "$build" "$work/of another user")
cmp "$work"/packed/polygraphy-*.tar.gz "$work/of another user"/polygraphy-*.tar.gz
tar -C "$work/unpacked" -xzf "$work"/packed/polygraphy-*.tar.gz
cd "$work"/unpacked/polygraphy-*
for file in bin/polygraphy lib/polygraphy/backends/polygraphy_{onnxrt,openvino}.so share/man/man1/polygraphy.1 \
  share/bash-completion/completions/polygraphy share/zsh/site-functions/_polygraphy \
  share/fish/vendor_completions.d/polygraphy.fish share/doc/polygraphy/{LICENSE,README.md,polygraphy.cdx.json,polygraphy.spdx.json} \
  share/doc/polygraphy/licences/{onnx,base64,libprotobuf,nlohmann-json3}.txt; do
  [ -s "$file" ] || { echo "not packed: $file"; exit 1; }
done
# Nothing but the program: no libraries to link with, no runtimes.
[ "$(find . -name '*.a' -o -name '*.h' -o -name 'libonnxruntime*' | wc -l)" = 0 ]
env -i bin/polygraphy --version | grep -i polygraphy
env -i bin/polygraphy inspect model "$model" | grep 'Input(s)'
env -i bin/polygraphy backends | grep onnxrt
