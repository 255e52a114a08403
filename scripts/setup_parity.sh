#!/usr/bin/env bash
# Brings the original tool and its Python packages into .deps/parity, for tests/parity and for
# benchmarks against it, and public tools that use them into .deps/dependents, for
# tests/python/dependents, with the tokenizers of tests/llm, and viewers of our files into
# .deps/viewers, for tests/browser, and validators of lists of parts into .deps/release, for
# tests/release. Nothing else uses them; run with PYTHONPATH=.deps/parity.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=setup/common.sh
. "$here/setup/common.sh"
requirements=$here/setup/parity-requirements.txt
tools=$here/setup/dependents-requirements.txt
viewers=$here/setup/viewers-requirements.txt
validators=$here/setup/release-requirements.txt

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  die "the original's pinned packages need Python 3.11 or newer; this is $(python3 --version)"

fetch_parity() {
  pip install -q --only-binary :all: --target "$1" -r "$requirements"
}

step parity "$(sha256sum "$requirements" | cut -c1-16) $(python3 -c 'import sys; print(sys.implementation.cache_tag)')" \
  fetch_parity

fetch_dependents() {
  pip install -q --no-deps --only-binary :all: --target "$1" -r "$tools"
}

step dependents "$(sha256sum "$tools" | cut -c1-16)" fetch_dependents

fetch_viewers() {
  pip install -q --no-deps --only-binary :all: --target "$1" -r "$viewers"
}

step viewers "$(sha256sum "$viewers" | cut -c1-16)" fetch_viewers

fetch_validators() {
  pip install -q --only-binary :all: --target "$1" -r "$validators"
}

step release "$(sha256sum "$validators" | cut -c1-16) $(python3 -c 'import sys; print(sys.implementation.cache_tag)')" \
  fetch_validators
