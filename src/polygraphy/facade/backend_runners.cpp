#include "polygraphy/facade/backend_runners.h"

#include <cstdlib>
#include <utility>

#include "base/os/files/file_access.h"
#include "base/silent_log.h"
#include "polygraphy/backend.h"
#include "polygraphy/data/user_python/user_python.h"
#include "polygraphy/facade/shared_backends.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy {
namespace {

// Plugins of the tree, and the libraries that environment variables name (POLYGRAPHY_ONNXRT_LIB …).
// Throws Error when two plugins clash.
PluginPaths paths_of_program(const std::string& tree) {
  PluginPaths paths = paths_of_tree(tree);
  for (const pgb_backend_options* backend : BackendCatalog(paths.plugin_dirs).tables()) {
    if (!backend->library_env) continue;
    const char* library = std::getenv(backend->library_env);
    if (library && *library) paths.library_env.emplace_back(backend->name, library);
  }
  return paths;
}

SessionRunner::Source source_of(ModelLoader model) {
  if (!model.path()) return SessionRunner::made_by(std::move(model));
  SessionRunner::Source source;
  source.file.path = *model.path();
  return source;
}

BackendRunnerOptions with_session(const SessionFromOnnx& session, BackendRunnerOptions options) {
  if (!session.providers.empty()) options.options.emplace_back("providers", session.providers);
  if (!session.graph_optimization_level.empty()) {
    options.options.emplace_back("graph_optimization_level",
                                 std::vector{session.graph_optimization_level});
  }
  return options;
}

// Not log_or_silence(): users of the logger may outlive the thread.
Logger& lasting_log(Logger* log) {
  static auto* const kSilent = new Logger;
  return log ? *log : *kSilent;
}

}  // namespace

std::shared_ptr<PluginHost> open_backends(const std::string& tree, Logger* log) {
  return std::make_shared<PluginHost>(paths_of_program(tree), lasting_log(log));
}

RunnerTools tools_of_tree(const std::string& tree, Logger* log) {
  RunnerTools tools{.paths = paths_of_program(tree)};
  const std::string program = tree + "/bin/polygraphy";
  if (is_executable(program)) tools.program = program;
  PythonOptions python;
  python.program = tools.paths.python;
  tools.python = std::make_shared<UserPython>(std::move(python), lasting_log(log));
  return tools;
}

std::vector<BackendStatus> backend_status(const std::string& tree) {
  return open_backends(tree)->status();
}

BackendRunner::BackendRunner(const std::string& backend, ModelLoader model,
                             BackendRunnerOptions options)
    : BackendRunner(backend, source_of(std::move(model)), std::move(options)) {}

BackendRunner::BackendRunner(const std::string& backend, Source source,
                             BackendRunnerOptions options)
    : BackendRunner(host_of(options), *host_of(options).catalog().get(backend).options,
                    std::move(source), std::move(options)) {}

BackendRunner::BackendRunner(PluginHost& host, const pgb_backend_options& backend, Source&& source,
                             BackendRunnerOptions&& options)
    : SessionRunner(next_runner_name(host, backend.runner_prefix), host, backend, std::move(source),
                    {.options = std::move(options.options), .profile = options.profile},
                    options.library, log_or_silence(options.log)),
      host_(std::move(options.host)) {}

BackendRunner::~BackendRunner() {
  if (active()) deactivate();  // while there is a host
}

OnnxrtRunner::OnnxrtRunner(const SessionFromOnnx& session, BackendRunnerOptions options)
    : BackendRunner("onnxrt", session.model, with_session(session, std::move(options))) {}

}  // namespace polygraphy
