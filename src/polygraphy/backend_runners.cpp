#include "polygraphy/backend_runners.h"

#include <map>

#include "base/error.h"
#include "base/silent_log.h"
#include "base/text.h"
#include "polygraphy/backend.h"
#include "polygraphy/backend/backend_catalog.h"
#include "polygraphy/backend/plugin_host.h"

namespace polygraphy {
namespace {

SessionRunner::Source source_of(ModelLoader model) {
  if (!model.path()) return SessionRunner::made_by(std::move(model));
  SessionRunner::Source source;
  source.file.path = *model.path();
  return source;
}

PluginHost& host_of(const BackendRunnerOptions& options) {
  return options.host ? *options.host : backends_of(options.tree);
}

BackendRunnerOptions with_session(const SessionFromOnnx& session, BackendRunnerOptions options) {
  if (!session.providers.empty()) options.options.emplace_back("providers", session.providers);
  if (!session.graph_optimization_level.empty()) {
    options.options.emplace_back("graph_optimization_level",
                                 std::vector{session.graph_optimization_level});
  }
  return options;
}

}  // namespace

PluginHost& backends_of(const std::string& tree) {
  // Vendors' libraries are never closed, and neither is this.
  static auto* const kHosts = new std::map<std::string, std::unique_ptr<PluginHost>>;
  static auto* const kSilent = new Logger;
  std::unique_ptr<PluginHost>& host = (*kHosts)[tree];
  if (!host) {
    host = std::make_unique<PluginHost>(paths_of_tree(tree), *kSilent);
  }
  return *host;
}

std::vector<BackendStatus> backend_status(const std::string& tree) {
  return backends_of(tree).status();
}

BackendRunner::BackendRunner(const std::string& backend, ModelLoader model,
                             BackendRunnerOptions options)
    : BackendRunner(host_of(options), *host_of(options).catalog().get(backend).options,
                    std::move(model), std::move(options)) {}

BackendRunner::BackendRunner(PluginHost& host, const pgb_backend_options& backend,
                             ModelLoader&& model, BackendRunnerOptions&& options)
    : SessionRunner(next_runner_name(host, backend.runner_prefix), host, backend,
                    source_of(std::move(model)),
                    {.options = std::move(options.options), .profile = options.profile},
                    options.library, log_or_silence(options.log)) {}

OnnxrtRunner::OnnxrtRunner(const SessionFromOnnx& session, BackendRunnerOptions options)
    : BackendRunner("onnxrt", session.model, with_session(session, std::move(options))) {}

}  // namespace polygraphy
