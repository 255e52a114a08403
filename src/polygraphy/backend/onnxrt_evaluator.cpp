#include "polygraphy/backend/onnxrt_evaluator.h"

#include <fmt/format.h>

#include <functional>

#include "base/error.h"
#include "polygraphy/backend/instance.h"
#include "polygraphy/backend/prepare_model.h"

namespace polygraphy {
namespace {

constexpr std::string_view kModule = "backend/onnxrt/loader.py";

// What no version of ONNX Runtime has kernels for, or even a tensor.
bool engine_takes(DataType type) {
  switch (type) {
    case DataType::kUndefined:
    case DataType::kComplex64:
    case DataType::kComplex128:
    case DataType::kFloat6E2M3:
    case DataType::kFloat6E3M2:
      return false;
    default:
      return is_known(type);
  }
}

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

PluginPaths bundled_only(PluginPaths paths) {
  paths.site_packages.clear();
  paths.library_env.clear();
  return paths;
}

struct OnnxrtEvaluator::State {
  State(PluginPaths paths, Logger& log, const std::atomic<bool>* cancel)
      // Without the prefix ("[I] ") that `quiet` has put before it.
      : quiet([&log](Severity, std::string_view text) { log.verbose(kModule, text.substr(4)); }),
        host(bundled_only(std::move(paths)), quiet) {
    if (!log.enabled(Severity::kVerbose, kModule)) quiet.set_sink(nullptr);
    if (cancel) host.cancel_on(*cancel);
  }

  Logger quiet;
  PluginHost host;
};

OnnxrtEvaluator::OnnxrtEvaluator(PluginPaths paths, Logger& log, const std::atomic<bool>* cancel)
    : state_(std::make_unique<State>(std::move(paths), log, cancel)) {}
OnnxrtEvaluator::~OnnxrtEvaluator() = default;

std::vector<Array> OnnxrtEvaluator::evaluate(
    const graphsurgeon::Model& region, const std::vector<std::pair<std::string, Array>>& feeds) {
  TensorMap inputs;
  for (const auto& [name, values] : feeds) {
    if (!engine_takes(values.dtype())) {
      throw Error(fmt::format("tensor '{}' has type {}, which ONNX Runtime does not compute", name,
                              name_of(values.dtype())));
    }
    // Aligned here and not by the engine's side, so that shares_bytes() sees what it sees.
    inputs.set(name, values.dtype() == DataType::kString ? values : values.contiguous_aligned());
  }

  const std::shared_ptr<BackendInstance> instance = state_->host.open("onnxrt");
  const EngineLimits limits{[&] { return instance->info().capabilities; },
                            [&] { return instance->info().max_ir_version; },
                            [&] { return instance->info().max_opset; }};
  const PreparedModel prepared = prepare_model(region, limits, state_->quiet);
  const BackendOptions options{{"providers", {"CPUExecutionProvider"}},
                               {"graph_optimization_level", {"ORT_DISABLE_ALL"}}};
  const std::unique_ptr<BackendSession> session = instance->load(prepared.blob(), options);
  ++sessions_;
  double seconds = 0;
  const TensorMap outputs = session->infer(inputs, seconds);

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
