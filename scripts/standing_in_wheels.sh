#!/usr/bin/env bash
# In build/, wheels named `polygraphy` and `onnx_graphsurgeon` that take the place of the originals where
# they are installed. They need the wheel `polygraphy-native` (scripts/wheel.sh).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
rm -f build/polygraphy-*.whl build/onnx_graphsurgeon-*.whl
pip wheel -q --no-deps -w build ./python/standing_in/polygraphy ./python/standing_in/onnx_graphsurgeon
printf '[wheel] %s\n' build/polygraphy-*.whl build/onnx_graphsurgeon-*.whl
