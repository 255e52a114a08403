#!/bin/sh
# A NaN that only comes of the values that the model itself makes: on random inputs the root alone would be right. --mode auto
# gives it the recorded value of what came before as a constant, so that one node is left here, too.
# Left: Sqrt
. "$(dirname "$0")/common.sh"

polygraphy debug reduce "$models/nan.onnx" -o reduced.onnx --mode auto \
  --check polygraphy run polygraphy_debug.onnx --onnxrt --validate

echo "Left: $(operators reduced.onnx)"
