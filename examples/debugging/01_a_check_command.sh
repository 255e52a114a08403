#!/bin/sh
# A model that no runtime can run: which node is it? The check runs each candidate; its exit code decides.
# Left: Reshape
. "$(dirname "$0")/common.sh"

polygraphy debug reduce "$models/impossible_reshape.onnx" -o reduced.onnx \
  --check polygraphy run polygraphy_debug.onnx --onnxrt

echo "Left: $(operators reduced.onnx)"
