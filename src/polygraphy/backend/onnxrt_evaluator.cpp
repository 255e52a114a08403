#include "polygraphy/backend/onnxrt_evaluator.h"

#include <fmt/format.h>

#include <functional>

#include "base/error.h"

namespace polygraphy {
namespace {

// Whether `array` lies in the bytes of a feed: an output that is an input comes back as it went in.
bool shares_bytes(const Array& array, const TensorMap& feeds) {
  const std::less<const std::byte*> before;
  if (array.dtype() == DataType::kString || array.nbytes() == 0) return false;
  for (const auto& [name, feed] : feeds) {
    if (feed.dtype() == DataType::kString || feed.nbytes() == 0) continue;
    if (!before(array.data(), feed.data()) && before(array.data(), feed.data() + feed.nbytes())) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Array> OnnxrtEvaluator::evaluate(
    const graphsurgeon::Model& region, const std::vector<std::pair<std::string, Array>>& feeds) {
  TensorMap inputs;
  for (const auto& [name, values] : feeds) {
    if (!onnxrt_takes(values.dtype())) {
      throw Error(fmt::format("tensor '{}' has type {}, which ONNX Runtime does not compute", name,
                              name_of(values.dtype())));
    }
    // Aligned here and not by the engine's side, so that shares_bytes() sees what it sees.
    inputs.set(name, values.dtype() == DataType::kString ? values : values.contiguous_aligned());
  }

  const std::unique_ptr<BackendSession> session = runtime_.load(region);
  const BundledCrash context("computed constants");
  const TensorMap outputs = session->infer(inputs).outputs;

  std::vector<Array> results;
  results.reserve(region.graph->outputs().size());
  for (const graphsurgeon::TensorRef& output : region.graph->outputs()) {
    const Array* values = outputs.find(std::string(output->name()));
    if (!values) {
      throw Error(
          fmt::format("ONNX Runtime delivers no tensor for '{}': it is a sequence or map, "
                      "or an optional that holds nothing",
                      output->name()));
    }
    results.push_back(shares_bytes(*values, inputs) ? values->clone() : *values);
  }
  return results;
}

std::unique_ptr<graphsurgeon::Evaluator> default_evaluator(Logger& log, const std::string& tree) {
  PluginPaths paths;
  paths.plugin_dirs = {tree + "/lib/polygraphy/backends"};
  paths.bundled = {tree + "/lib/polygraphy/engines"};
  return std::make_unique<OnnxrtEvaluator>(std::move(paths), log);
}

}  // namespace polygraphy
