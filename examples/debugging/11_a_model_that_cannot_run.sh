#!/bin/sh
# The model of example 01 again, without a command: --check-crash fails when the runtime refuses the model, cannot run it, crashes
# or hangs.
# Left: Reshape
. "$(dirname "$0")/common.sh"

polygraphy debug reduce "$models/impossible_reshape.onnx" -o reduced.onnx --check-crash onnxrt

echo "Left: $(operators reduced.onnx)"
