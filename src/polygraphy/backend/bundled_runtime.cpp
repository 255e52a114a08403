#include "polygraphy/backend/bundled_runtime.h"

#include <utility>

#include "polygraphy/backend/backend_limits.h"
#include "polygraphy/loaders/prepare_model.h"

namespace polygraphy {
namespace {

constexpr std::string_view kModule = "backend/onnxrt/loader.py";

}  // namespace

PluginPaths bundled_only(PluginPaths paths) {
  paths.site_packages.clear();
  paths.library_env.clear();
  return paths;
}

SessionOptions bundled_options() {
  return {.options = {{"providers", {"CPUExecutionProvider"}},
                      {"graph_optimization_level", {"ORT_DISABLE_ALL"}}},
          .single_run = true};
}

BundledCrash::BundledCrash(const char* doing) noexcept
    : CrashContext("ONNX Runtime", doing,
                   " `polygraphy debug reduce MODEL -o reduced.onnx --mode auto --check-crash "
                   "onnxrt` finds the node.") {}

struct BundledRuntime::State {
  State(PluginPaths paths, Logger& log, const std::atomic<bool>* cancel)
      : host(bundled_only(std::move(paths)), quiet) {
    show_as_verbose(quiet, log, kModule);
    host.cancel_on(cancel);
  }

  Logger quiet;
  PluginHost host;
};

BundledRuntime::BundledRuntime(PluginPaths paths, Logger& log, const std::atomic<bool>* cancel)
    : state_(std::make_unique<State>(std::move(paths), log, cancel)) {}
BundledRuntime::~BundledRuntime() = default;

std::unique_ptr<BackendSession> BundledRuntime::load(const graphsurgeon::Model& model) {
  const std::shared_ptr<BackendInstance> instance = state_->host.open("onnxrt");
  const PreparedModel prepared =
      prepare_loaded_model(model, limits_of(instance, bundled_options()), state_->quiet);
  const BundledCrash context("loaded a part of the model");
  std::unique_ptr<BackendSession> session = instance->load(prepared.blob(), bundled_options());
  ++sessions_;
  return session;
}

bool onnxrt_takes(DataType type) {
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

}  // namespace polygraphy
