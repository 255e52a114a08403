# shellcheck shell=bash disable=SC2034
# Every version that set-up brings by itself, but for those of back ends (backends/*/setup.sh). A changed pin runs its step again.

onnx_version=1.23.2
onnx_sha256=008cb0467b2bbee41448acc7da8b6f4e704624cb0d327a2d5adafc7ce19bc5b8 # of the sources
onnx_testdata_version=1.22.0 # the last release whose package ships the node models as files
magika_version=1.0.3
pybase64_version=1.5.1
pybase64_sha256=aa924f7c2e90349d472d7d57c3680de8d222a32c2d3d07f922ab2f60516e478d
cmake_version=3.31.6 # only fetched where the system's CMake is older than onnx needs
ray_version=2.60.0 # only tests of tasks use it
kubernetes_validate_version=1.37.0 # only tests of tasks use it
axe_core_version=4.14.1 # only tests of pages use it
axe_core_sha256=e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745
zig_version=0.17.1 # only links for other platforms use it
