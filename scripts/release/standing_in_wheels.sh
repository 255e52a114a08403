#!/usr/bin/env bash
# standing_in_wheels.sh [FOLDER]: in a folder (build/), wheels named `polygraphy` and `onnx_graphsurgeon`
# that take the place of the originals where they are installed. They need the wheel `polygraphy-native`
# (scripts/release/wheel.sh).
set -euo pipefail
folder=$(realpath -m "${1:-build}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rm -f "$folder"/polygraphy-*.whl "$folder"/onnx_graphsurgeon-*.whl
scripts/release/pip_wheel.sh "$folder" ./python/standing_in/polygraphy ./python/standing_in/onnx_graphsurgeon
printf '[wheel] %s\n' "$folder"/polygraphy-*.whl "$folder"/onnx_graphsurgeon-*.whl
