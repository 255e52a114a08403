#!/bin/sh
# --mode auto takes nodes out of the bodies of If, Loop and Scan. The runtime computes one operator in a loop wrongly.
# Left: Softsign
. "$(dirname "$0")/common.sh"

cat >check.sh <<'CHECK'
polygraphy run "$2" --onnxrt --save-inputs inputs.json --save-outputs golden.json || exit 0
"$1/faulty_backend.sh" "$2" --load-inputs inputs.json --load-outputs golden.json
CHECK

polygraphy debug reduce "$models/loop.onnx" -o reduced.onnx --mode auto --check sh check.sh "$examples" polygraphy_debug.onnx

echo "Left: $(operators reduced.onnx)"
