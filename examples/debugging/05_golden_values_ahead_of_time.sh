#!/bin/sh
# A runtime computes something else than the reference. First the golden values of all tensors are computed, once; every
# candidate then gets its inputs from them, so that an error of an early layer cannot reach later ones.
# Left: Softsign
. "$(dirname "$0")/common.sh"
model=$models/two_branches.onnx

polygraphy run "$model" --onnxrt --onnx-outputs mark all --save-inputs inputs.json --save-outputs golden_outputs.json
# The inputs of any subgraph are inputs of the model, or outputs of layers.
polygraphy data to-input inputs.json golden_outputs.json -o golden_inputs.json

# The reduction gets them, too: branches that are cut off are frozen to these values.
polygraphy debug reduce "$model" -o reduced.onnx --load-inputs golden_inputs.json --check \
  "$examples/faulty_backend.sh" polygraphy_debug.onnx --load-inputs golden_inputs.json --load-outputs golden_outputs.json

echo "Left: $(operators reduced.onnx)"
