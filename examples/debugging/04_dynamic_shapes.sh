#!/bin/sh
# With open dimensions, parts of a model may get other shapes than they have in the whole. Four ways around that.
# Left: Softsign | Softsign | Softsign | Relu Shape Gather Concat Reshape Softsign
. "$(dirname "$0")/common.sh"
model=$models/dynamic.onnx
check='! grep -q Softsign polygraphy_debug.onnx'

# The best one: freeze the shapes of the inputs, and fold away what computes with shapes.
polygraphy surgeon sanitize "$model" -o frozen.onnx --override-input-shapes x:[2,4,4] --fold-constants --cleanup
polygraphy debug reduce frozen.onnx -o a.onnx --check "$check"

# Give the shapes of the inputs; those of the other tensors are inferred.
polygraphy debug reduce "$model" -o b.onnx --model-input-shapes x:[2,4,4] --check "$check"

# Find all shapes by running the model once.
polygraphy debug reduce "$model" -o c.onnx --force-fallback-shape-inference --check "$check"

# Keep the inputs: only the end is cut off.
polygraphy debug reduce "$model" -o d.onnx --no-reduce-inputs --check "$check"

echo "Left: $(operators a.onnx)| $(operators b.onnx)| $(operators c.onnx)| $(operators d.onnx)"
