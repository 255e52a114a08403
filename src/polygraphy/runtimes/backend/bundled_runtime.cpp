#include "polygraphy/runtimes/backend/bundled_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/crash_message.h"
#include "polygraphy/models/loaders/prepare_model.h"
#include "polygraphy/runtimes/backend/backend_limits.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "polygraphy/runtimes/backend/plugin_host.h"

namespace polygraphy {
namespace {

// While this lives, crash messages name ONNX Runtime.
class OnnxrtCrash : CrashContext {
 public:
  explicit OnnxrtCrash(const char* doing) noexcept
      : CrashContext("ONNX Runtime", doing,
                     " `polygraphy debug reduce MODEL -o reduced.onnx --mode auto --check-crash "
                     "onnxrt` finds the node.") {}
};

std::unique_ptr<Logger> verbose_lines_of(Logger& log) {
  auto messages = std::make_unique<Logger>();
  show_as_verbose(*messages, log, log_modules::kOnnxrtLoader);
  return messages;
}

}  // namespace

PluginPaths bundled_only(PluginPaths paths) {
  const auto is_there = [](const std::string& folder) {
    std::error_code ignored;
    return std::filesystem::is_directory(folder, ignored);
  };
  if (!std::any_of(paths.bundled.begin(), paths.bundled.end(), is_there)) return paths;
  paths.site_packages.clear();
  paths.library_env.clear();
  return paths;
}

SessionOptions bundled_options() {
  return {.options = {{"providers", {"CPUExecutionProvider"}},
                      {"graph_optimization_level", {"ORT_DISABLE_ALL"}}},
          .single_run = true};
}

struct BundledRuntime::State {
  State(PluginPaths paths, std::unique_ptr<Logger> messages_, CancelToken cancel)
      : messages(std::move(messages_)), host(bundled_only(std::move(paths)), *messages) {
    host.cancel_on(cancel);
  }

  std::unique_ptr<Logger> messages;
  PluginHost host;
  int64_t sessions = 0;
};

BundledRuntime::BundledRuntime(PluginPaths paths, Logger& log, CancelToken cancel)
    : BundledRuntime(std::move(paths), verbose_lines_of(log), cancel) {}
BundledRuntime::BundledRuntime(PluginPaths paths, std::unique_ptr<Logger> messages,
                               CancelToken cancel)
    : state_(std::make_unique<State>(std::move(paths), std::move(messages), cancel)) {}
BundledRuntime::~BundledRuntime() = default;

CallLimits BundledRuntime::limit_calls(CallLimits limits) {
  return state_->host.limit_calls(limits);
}

void BundledRuntime::open() {
  state_->host.open("onnxrt");
}

std::unique_ptr<BackendSession> BundledRuntime::load(const graphsurgeon::Model& model,
                                                     const SessionOptions& options,
                                                     const char* doing) {
  const std::shared_ptr<BackendInstance> instance = state_->host.open("onnxrt");
  const PreparedModel prepared =
      prepare_loaded_model(model, limits_of(instance, options), *state_->messages);
  const OnnxrtCrash context(doing);
  std::unique_ptr<BackendSession> session = instance->load(prepared.blob(), options);
  ++state_->sessions;
  return session;
}

int64_t BundledRuntime::sessions() const {
  return state_->sessions;
}

ValueMap run_model(BackendSession& session, const ValueMap& feeds, const char* doing) {
  ValueMap inputs;
  for (const auto& [name, info] : session.inputs()) {
    if (const Value* value = feeds.find(name)) {
      inputs.set(name, *value);
    } else if (info.kind != ValueKind::kOptional) {
      throw Error(fmt::format("no data for its input '{}'", name));
    }
  }
  const OnnxrtCrash context(doing);
  return session.infer(inputs).outputs;
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
