#!/usr/bin/env bash
# bench.sh [ARGUMENT...]: speed and memory against the original; arguments go to bench/bench.py.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/build.sh release
scripts/setup_parity.sh
exec python3 bench/bench.py "$@"
