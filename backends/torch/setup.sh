# shellcheck shell=bash
# PyTorch is the user's own. Tests have one of theirs: the published wheel, which is built for CUDA,
# without CUDA's libraries.

torch_version=2.15.0

set_up_torch() {
  :
}

set_up_torch_tests() {
  step torch "$torch_version $(python3 -c 'import sys; print(sys.implementation.cache_tag)')" \
    fetch_torch
}

# Beside it its imports, and the imports of its exporter to ONNX. NumPy and onnx come with the
# original (scripts/setup_parity.sh).
fetch_torch() {
  pip install -q --no-deps --only-binary :all: --target "$1" "torch==$torch_version" \
    typing_extensions==4.16.0 sympy==1.14.0 mpmath==1.4.1 networkx==3.6.1 jinja2==3.1.6 \
    markupsafe==3.0.4 fsspec==2026.9.0 filelock==4.2.12 onnxscript==0.7.2 onnx_ir==1.1.0
  python3 "$root/backends/torch/without_cuda.py" "$1/torch/lib"
  rm -rf "$1/torch/include" "$1/torch/test"
}
