# shellcheck shell=bash
# Real models, test data and scripts, out of the packages that ship them.

fetch_models() {
  wheel magika "$magika_version"
  unzip -qoj magika-*.whl 'magika/models/standard_*/model.onnx' -d .
  mv model.onnx "$1/magika.onnx"
}

# A script for browsers that finds hindrances for people with disabilities.
fetch_axe_core() {
  npm pack --silent "axe-core@$axe_core_version" >/dev/null
  sha256sum --quiet --check <<<"$axe_core_sha256  axe-core-$axe_core_version.tgz"
  tar xzf axe-core-*.tgz --strip-components=1 -C "$1" package/axe.min.js package/LICENSE
}

# The onnx project's backend test data: about 1,900 models with inputs and expected outputs.
fetch_onnx_testdata() {
  wheel onnx "$onnx_testdata_version"
  unzip -qo onnx-*.whl 'onnx/backend/test/data/*' -d unpacked
  mv unpacked/onnx/backend/test/data/* "$1"
}
