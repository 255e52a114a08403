# shellcheck shell=bash
# OpenVINO: libraries and headers from the published wheel, unpacked without Python.

openvino_version=2026.4.1

set_up_openvino() {
  step openvino "$openvino_version" fetch_openvino
}

# The CPU part of OpenVINO: C interface, core, CPU plugin, readers of ONNX and of OpenVINO IR, and
# the thread libraries beside it. GPU, NPU and the other readers (100 MB) are left out.
fetch_openvino() {
  wheel openvino "$openvino_version"
  mkdir "$1/libs"
  local library patterns=()
  for library in openvino openvino_c openvino_intel_cpu_plugin openvino_onnx_frontend \
    openvino_ir_frontend openvino_auto_plugin openvino_auto_batch_plugin openvino_hetero_plugin \
    tbb tbbbind_2_5 tbbmalloc tbbmalloc_proxy hwloc; do
    patterns+=("openvino/libs/lib$library.so*")
  done
  unzip -qoj openvino-*.whl "${patterns[@]}" -d "$1/libs"
  unzip -qo openvino-*.whl 'openvino/include/openvino/c/*' -d unpacked
  mv unpacked/openvino/include "$1/include"
}
