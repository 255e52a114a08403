#include "polygraphy/runtimes/compiled/network.h"

#include "base/os/mapped_file.h"
#include "base/os/scratch_folder.h"
#include "polygraphy/runtimes/compiled/engine_worker.h"
#include "polygraphy/runtimes/compiled/network_json.h"

namespace polygraphy {
namespace {

// Through a file: the weights may be larger than a message, and only a part of them is looked at.
NetworkDescription with_weights(const EngineJob& job, Logger& log) {
  const ScratchFolder folder(temporary_folder() + "/.polygraphy-network.");
  const std::string path = folder / "network";
  EngineWorker(job, log).ask(Compilation::kWeights, path);
  const auto file = MappedFile::open(path);
  const std::string_view bytes(reinterpret_cast<const char*>(file->bytes().data()),
                               file->bytes().size());
  return read_network_with_weights(bytes, file, job.runner.backend);
}

}  // namespace

NetworkDescription describe_network(const EngineJob& job, Logger& log, bool weights) {
  if (weights) return with_weights(job, log);
  return read_network(EngineWorker(job, log).ask(Compilation::kNetwork), job.runner.backend);
}

}  // namespace polygraphy
