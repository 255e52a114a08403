#include "polygraphy/runtimes/compiled/engine.h"

#include "base/log_modules.h"
#include "base/os/mapped_file.h"
#include "polygraphy/runtimes/compiled/engine_json.h"
#include "polygraphy/runtimes/compiled/engine_worker.h"

namespace polygraphy {

EngineDescription describe_engine(const EngineJob& job, Logger& log) {
  MappedFile::open(job.model.path);  // says so before a library is opened
  EngineDescription engine =
      read_engine(EngineWorker(job, log).ask(Compilation::kEngine), job.runner.backend);
  if (engine.verbosity != "DETAILED" && !engine.layers.empty()) {
    log.warning(log_modules::kInspectEngine,
                "Engine profiling verbosity: ProfilingVerbosity." + engine.verbosity +
                    ". For more details of layers, build the engine with detailed verbosity.");
  }
  return engine;
}

}  // namespace polygraphy
