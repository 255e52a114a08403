#include "polygraphy/runtimes/runner_factory/library_version.h"

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"
#include "polygraphy/runtimes/backend/instance.h"
#include "polygraphy/runtimes/backend/plugin_host.h"
#include "polygraphy/runtimes/worker/worker_runner.h"

namespace polygraphy {

std::string library_version(const std::string& backend, const RunnerTools& tools) {
  constexpr double kSeconds = 10;
  Logger silent;
  PluginHost host(tools.paths, silent);
  host.cancel_on(tools.cancel);
  try {
    const pgb_backend_options& options = *host.catalog().get(backend).options;
    // Packages of the user's Python are in another process anyway.
    if (tools.program.empty() || runs_in_python(options))
      return host.open(backend)->info().library_version;
    return isolated_library_version(host, options, {}, {tools.program, kSeconds});
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace polygraphy
