#include "polygraphy/runtimes/compiled/network.h"

#include "base/os/scratch_folder.h"
#include "polygraphy/runtimes/compiled/engine_worker.h"
#include "polygraphy/runtimes/compiled/network_json.h"
#include "polygraphy/runtimes/compiled/python_scripts.h"

namespace polygraphy {
namespace {

// Through a file: the weights may be larger than a message, and only a part of them is looked at.
NetworkDescription with_weights(const EngineJob& job, Logger& log) {
  const ScratchFolder folder(temporary_folder() + "/.polygraphy-network.");
  const std::string path = folder / "network";
  EngineWorker(job, log).ask(Compilation::kWeights, path);
  return read_network_file(path, true, job.runner.backend);
}

}  // namespace

NetworkDescription describe_network(const EngineJob& job, Logger& log, bool weights) {
  if (network_needs_python(job)) return describe_in_python(job, log, weights);
  if (weights) return with_weights(job, log);
  return read_network(EngineWorker(job, log).ask(Compilation::kNetwork), job.runner.backend);
}

}  // namespace polygraphy
