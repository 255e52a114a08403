# shellcheck shell=bash
# TensorFlow: nothing for a build, which declares its part of the C interface itself; the library is
# the user's own.

tensorflow_version=2.21.0
tf2onnx_version=1.17.0

set_up_tensorflow() {
  :
}

# For tests only, by `scripts/setup.sh ci`: the whole package (250 MB to fetch), which makes and
# converts models, too.
set_up_tensorflow_tests() {
  [ "$(uname -m)" = x86_64 ] || return 0 # the package is there for no other
  step tensorflow "$tensorflow_version tf2onnx $tf2onnx_version onnx $onnx_version" fetch_tensorflow
}

fetch_tensorflow() {
  pip install -q --target "$1/site-packages" "tensorflow-cpu==$tensorflow_version"
  pip install -q --target "$1/site-packages" --no-deps "tf2onnx==$tf2onnx_version" "onnx==$onnx_version"
  ln -s site-packages/tensorflow "$1/lib" # where the program looks
}
