#include "polygraphy/engines/engine_job.h"

#include "polygraphy/engines/capability_json.h"
#include "polygraphy/engines/engine_worker.h"

namespace polygraphy {

void build_engine(const EngineJob& job, const std::string& path, Logger& log) {
  EngineWorker(job, log).ask(Compilation::kArtefact, path);
}

Capability find_capability(const EngineJob& job, Logger& log) {
  return read_capability(EngineWorker(job, log).ask(Compilation::kCapability), job.backend);
}

}  // namespace polygraphy
