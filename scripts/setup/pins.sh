# shellcheck shell=bash disable=SC2034
# Every version that set-up brings by itself, but for those of back ends (backends/*/setup.sh). A changed pin runs its step again.

onnx_version=1.23.2
onnx_testdata_version=1.22.0 # the last release whose package ships the node models as files
magika_version=1.0.3
pybase64_version=1.5.1
cmake_version=3.31.6 # only fetched where the system's CMake is older than onnx needs
ray_version=2.60.0 # only tests of tasks use it
kubernetes_validate_version=1.37.0 # only tests of tasks use it
axe_core_version=4.14.1 # only tests of pages use it
axe_core_sha256=e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745
