#!/bin/sh
# bisect needs few checks, linear may find less: bisect first, and linear on what it leaves.
# Left: Softsign
. "$(dirname "$0")/common.sh"
check='! grep -q Softsign polygraphy_debug.onnx'   # in one word: a shell runs it, and options may follow

polygraphy debug reduce "$models/two_branches.onnx" -o smaller.onnx --check "$check" --mode bisect
polygraphy debug reduce smaller.onnx -o reduced.onnx --check "$check" --mode linear

echo "Left: $(operators reduced.onnx)"
