#!/usr/bin/env bash
# try_aarch64.sh TARBALL: runs the AArch64 tarball of a release on another machine, by qemu, with PyPI's engines for
# it: inspects a model, compares two engines, finds the red node of README.md. Needs root (binfmt_misc) and
# `apt-get install qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross`. By hand, before a release.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tarball=$(realpath "$1")
# Debian 12's qemu crashes in the static constructors of 1.32, in a program of three lines as well.
onnxruntime_version=1.24.1
# shellcheck disable=SC1091
. "$here/../../backends/openvino/setup.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Programs for AArch64 run as any other, also those that they start.
formats=/proc/sys/fs/binfmt_misc
[ -e $formats/register ] || mount -t binfmt_misc none $formats
if [ ! -e $formats/qemu-aarch64 ]; then
  printf '%s' ':qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:' \
    '\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:/usr/bin/qemu-aarch64-static:F' \
    >$formats/register
fi
export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu

cd "$work"
python3 -m pip download -q --no-deps --only-binary :all: --python-version 3.11 --platform manylinux_2_28_aarch64 \
  --platform manylinux_2_35_aarch64 "onnxruntime==$onnxruntime_version" "openvino==$openvino_version"
for wheel in *.whl; do python3 -m zipfile -e "$wheel" engines; done
POLYGRAPHY_ONNXRT_LIB=$(echo engines/onnxruntime/capi/libonnxruntime.so.*)
export POLYGRAPHY_ONNXRT_LIB=$work/$POLYGRAPHY_ONNXRT_LIB
export POLYGRAPHY_OPENVINO_LIB=$work/engines/openvino/libs/libopenvino_c.so
[ -e "$POLYGRAPHY_OPENVINO_LIB" ] || POLYGRAPHY_OPENVINO_LIB=$(echo "$work"/engines/openvino/libs/libopenvino_c.so.*)

tar xzf "$tarball"
program=$(echo "$work"/polygraphy-*-linux-aarch64/bin/polygraphy)
cd "${program%/bin/*}/share/doc/polygraphy"
set -x
"$program" inspect model examples/quantized/int8.onnx | grep '27 Node(s)'
"$program" run examples/quantized/float.onnx --onnxrt --openvino
"$program" debug locate examples/quantized/int8.onnx --float-model examples/quantized/float.onnx --onnxrt \
  >located && exit 1
grep "guilty: 'block2.conv2'" located
"$program" surgeon extract examples/quantized/int8.onnx --inputs block2.relu1.out:auto:auto \
  --outputs block2.conv2.out:auto -o guilty.onnx
set +x
echo "$(basename "$tarball") runs on AArch64, by $(qemu-aarch64-static --version | sed -n 1p)"
