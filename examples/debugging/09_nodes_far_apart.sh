#!/bin/sh
# --mode auto takes nodes away anywhere, not only at both ends. Here two nodes fail only together.
# Left: Sin Sqrt
. "$(dirname "$0")/common.sh"

polygraphy debug reduce "$models/two_branches.onnx" -o reduced.onnx --mode auto \
  --check '! { grep -q Sin polygraphy_debug.onnx && grep -q Sqrt polygraphy_debug.onnx; }'

echo "Left: $(operators reduced.onnx)"
