# shellcheck shell=bash
# Real models and test data, out of the packages that ship them.

fetch_models() {
  wheel magika "$magika_version"
  unzip -qoj magika-*.whl 'magika/models/standard_*/model.onnx' -d .
  mv model.onnx "$1/magika.onnx"
}

# The onnx project's backend test data: about 1,900 models with inputs and expected outputs.
fetch_onnx_testdata() {
  wheel onnx "$onnx_testdata_version"
  unzip -qo onnx-*.whl 'onnx/backend/test/data/*' -d unpacked
  mv unpacked/onnx/backend/test/data/* "$1"
}
