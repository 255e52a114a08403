#!/bin/sh
# A fault that one of several samples shows: the check runs all of them. Every candidate gets the values that its inputs have in
# the whole model, for each sample; nothing is frozen to those of the first.
# Left: Sqrt
. "$(dirname "$0")/common.sh"
model=$models/second_sample.onnx

cat >inputs.json <<'INPUTS'
[{"x": [[0.9, 0.8, 0.7, 0.6]]}, {"x": [[0.9, 0.8, 0.2, 0.6]]}]
INPUTS
polygraphy run "$model" --onnxrt --onnx-outputs mark all --load-inputs inputs.json \
  --save-inputs saved_inputs.json --save-outputs golden_outputs.json
polygraphy data to-input saved_inputs.json golden_outputs.json -o golden_inputs.json

polygraphy debug reduce "$model" -o reduced.onnx --mode auto --load-inputs golden_inputs.json --check \
  polygraphy run polygraphy_debug.onnx --onnxrt --validate --load-inputs golden_inputs.json

echo "Left: $(operators reduced.onnx)"
