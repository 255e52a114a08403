#include "cli/engine_job.h"

#include "cli/args/engines.h"
#include "cli/args/isolation.h"
#include "cli/args/onnx_loading.h"
#include "cli/session/deferred_interrupts.h"
#include "cli/session/plugin_paths.h"
#include "polygraphy/backend/backend_catalog.h"

namespace polygraphy::cli {

EngineJob resolve_engine_job(Session& session, const ModelArgs& model) {
  const ParsedArgs& args = session.args();
  const Environment& env = session.env();
  EngineJob job;
  const BackendCatalog catalog(plugin_folders(env));
  const pgb_backend_options& backend = *catalog.get(job.backend).options;
  job.model = resolve_model_source(args, env, model.path);
  job.options = {.options = resolve_backend_options(args, env, backend), .inputs = model.shapes};
  if (const std::string option = library_option(backend); args.syntax().find(option))
    job.library = env.path(args.text(option).value_or(""));
  job.paths = resolve_plugin_paths(env);
  job.program = env.executable;
  if (args.syntax().find("--timeout")) job.timeout = resolve_timeout(args);
  job.cancel = cancel_token(env);
  return job;
}

}  // namespace polygraphy::cli
