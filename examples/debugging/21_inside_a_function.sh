#!/bin/sh
# Nor do calls of local functions hide an operator: --mode auto puts the nodes of a function in the place of its calls.
# Left: Softsign
. "$(dirname "$0")/common.sh"

cat >check.sh <<'CHECK'
polygraphy run polygraphy_debug.onnx --onnxrt --save-inputs inputs.json --save-outputs golden.json || exit 0
"$1/faulty_backend.sh" polygraphy_debug.onnx --load-inputs inputs.json --load-outputs golden.json
CHECK

polygraphy debug reduce "$models/function.onnx" -o reduced.onnx --mode auto --check sh check.sh "$examples"

echo "Left: $(operators reduced.onnx)"
