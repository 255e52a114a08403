#!/bin/sh
# Where do the NaNs come from? --check-nan fails when an output holds NaNs or infinities and the inputs do not. The inputs of
# candidates get the values that these tensors have in the whole model.
# Left: Sqrt
. "$(dirname "$0")/common.sh"

polygraphy debug reduce "$models/nan.onnx" -o reduced.onnx --mode auto --check-nan

echo "Left: $(operators reduced.onnx)"
