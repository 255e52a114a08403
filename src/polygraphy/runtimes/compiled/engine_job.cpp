#include "polygraphy/runtimes/compiled/engine_job.h"

#include "polygraphy/runtimes/compiled/capability_json.h"
#include "polygraphy/runtimes/compiled/engine_worker.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"

namespace polygraphy {

void build_engine(const EngineJob& job, const std::string& path, Logger& log) {
  if (needs_python(job)) return build_in_python(job, path, log);
  EngineWorker(job, log).ask(Compilation::kArtefact, path);
}

Capability find_capability(const EngineJob& job, Logger& log) {
  return read_capability(EngineWorker(job, log).ask(Compilation::kCapability), job.runner.backend);
}

}  // namespace polygraphy
