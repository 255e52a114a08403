#!/bin/sh
# --check-lint fails when `polygraphy check lint` would: what is left shows the error by itself. -j checks candidates side by side.
# Left: Reshape
. "$(dirname "$0")/common.sh"

polygraphy debug reduce "$models/impossible_reshape.onnx" -o reduced.onnx --mode auto -j 2 --check-lint

echo "Left: $(operators reduced.onnx)"
