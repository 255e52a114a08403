#!/bin/sh
# The other way: each candidate is run by the reference first. Less to prepare, but what a subgraph gets are new random inputs,
# not what reaches it in the whole model.
# Left: Softsign
. "$(dirname "$0")/common.sh"

cat >check.sh <<'CHECK'
polygraphy run polygraphy_debug.onnx --onnxrt --save-inputs inputs.json --save-outputs golden.json || exit 0
"$1/faulty_backend.sh" polygraphy_debug.onnx --load-inputs inputs.json --load-outputs golden.json
CHECK

polygraphy debug reduce "$models/two_branches.onnx" -o reduced.onnx --check sh check.sh "$examples"

echo "Left: $(operators reduced.onnx)"
