#!/bin/sh
# Two back ends disagree. --check-run runs each candidate on both, in processes that stay, and compares: no check command, no
# files, hundreds of checks a minute. Here one of them computes 64-bit integers with 32 bits.
# Left: Mul
. "$(dirname "$0")/common.sh"

polygraphy debug reduce "$models/large_integers.onnx" -o reduced.onnx --mode auto \
  --check-run onnxrt openvino --atol 1e-3 --rtol 1e-3

echo "Left: $(operators reduced.onnx)"
