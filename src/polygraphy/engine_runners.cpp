#include "polygraphy/engine_runners.h"

#include <map>

#include "base/error.h"
#include "base/silent_log.h"
#include "base/text.h"
#include "polygraphy/backend/model_runner.h"

namespace polygraphy {
namespace {

std::unique_ptr<Runner> make(const std::string& engine, ModelLoader model, EngineOptions options) {
  PluginHost& host = options.host ? *options.host : engines_of(options.tree);
  const pgb_backend_options& backend = *host.catalog().get(engine).options;
  Logger& log = log_or_silence(options.log);
  if (!model.path()) {
    return make_model_runner(host, backend, std::move(model),
                             SessionOptions{.options = std::move(options.options)}, options.library,
                             log);
  }
  ModelSource source;
  source.path = *model.path();
  return make_runner(host, backend, std::move(source),
                     SessionOptions{.options = std::move(options.options)}, options.library, log);
}

EngineOptions with_session(const SessionFromOnnx& session, EngineOptions options) {
  if (!session.providers.empty()) options.options.emplace_back("providers", session.providers);
  if (!session.graph_optimization_level.empty()) {
    options.options.emplace_back("graph_optimization_level",
                                 std::vector{session.graph_optimization_level});
  }
  return options;
}

}  // namespace

PluginHost& engines_of(const std::string& tree) {
  // Vendors' libraries are never closed, and neither is this.
  static auto* const kHosts = new std::map<std::string, std::unique_ptr<PluginHost>>;
  static auto* const kSilent = new Logger;
  std::unique_ptr<PluginHost>& host = (*kHosts)[tree];
  if (!host) {
    PluginPaths paths;
    paths.plugin_dirs = {tree + "/lib/polygraphy/backends"};
    paths.bundled = {tree + "/lib/polygraphy/engines"};
    host = std::make_unique<PluginHost>(std::move(paths), *kSilent);
  }
  return *host;
}

EngineRunner::EngineRunner(std::unique_ptr<Runner> runner)
    : Runner(runner->name()), runner_(std::move(runner)) {}

EngineRunner::EngineRunner(const std::string& engine, ModelLoader model, EngineOptions options)
    : EngineRunner(make(engine, std::move(model), std::move(options))) {}

EngineRunner::~EngineRunner() {
  if (active()) deactivate();
}

void EngineRunner::activate_impl() {
  runner_->activate();
}

void EngineRunner::deactivate_impl() noexcept {
  runner_->deactivate();
}

Metadata EngineRunner::input_metadata_impl() {
  return runner_->input_metadata();
}

Inference EngineRunner::infer_impl(const TensorMap& feeds) {
  TensorMap outputs = runner_->infer(feeds);
  return {std::move(outputs), runner_->last_inference_seconds()};
}

OnnxrtRunner::OnnxrtRunner(const SessionFromOnnx& session, EngineOptions options)
    : EngineRunner("onnxrt", session.model, with_session(session, std::move(options))) {}

}  // namespace polygraphy
