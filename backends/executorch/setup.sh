# shellcheck shell=bash
# ExecuTorch is the user's own; tests have its published wheel, with the torch of torch's tests.

executorch_version=1.5.1

set_up_executorch() {
  :
}

set_up_executorch_tests() {
  step executorch "$executorch_version $(python3 -c 'import sys; print(sys.implementation.cache_tag)')" \
    fetch_executorch
}

fetch_executorch() {
  pip install -q --no-deps --only-binary :all: --target "$1" \
    "executorch==$executorch_version" ruamel_yaml==0.19.1 tabulate==0.10.0
}
