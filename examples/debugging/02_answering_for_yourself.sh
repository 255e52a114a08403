#!/bin/sh
# Without --check you judge each candidate: run polygraphy_debug.onnx in another terminal, then answer p or f.
# Here the answers come from a pipe.
# Left: Reshape
. "$(dirname "$0")/common.sh"

printf 'pass\nfail\nfail\nfail\nfail\nfail\n' |
  polygraphy debug reduce "$models/impossible_reshape.onnx" -o reduced.onnx

echo "Left: $(operators reduced.onnx)"
