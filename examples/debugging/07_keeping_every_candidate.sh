#!/bin/sh
# Every candidate is sorted into good and bad, and the passing model closest to the result is kept: comparing them may show more
# than the result alone.
# Left: Reshape, passing: Identity LeakyRelu Add Identity, 5 bad and 1 good candidates
. "$(dirname "$0")/common.sh"

polygraphy debug reduce "$models/impossible_reshape.onnx" -o reduced.onnx --min-good passing.onnx \
  --artifacts polygraphy_debug.onnx --artifacts-dir candidates --check polygraphy run polygraphy_debug.onnx --onnxrt

count() { find "candidates/$1" -name '*.onnx' | wc -l | tr -d ' '; }
echo "Left: $(operators reduced.onnx | sed 's/ $//'), passing: $(operators passing.onnx | sed 's/ $//'), $(count bad) bad and $(count good) good candidates"
