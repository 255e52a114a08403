# shellcheck shell=bash
# IREE is the user's own; tests have its published wheels.

iree_version=3.13.0

set_up_iree() {
  :
}

set_up_iree_tests() {
  step iree "$iree_version $(python3 -c 'import sys; print(sys.implementation.cache_tag)')" \
    fetch_iree
}

fetch_iree() {
  pip install -q --no-deps --only-binary :all: --target "$1" \
    "iree-base-compiler==$iree_version" "iree-base-runtime==$iree_version"
}
