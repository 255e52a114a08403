// Engines that scripts of TensorRT build before a runner loads them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/os/scratch_folder.h"
#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {

// Each engine is built once, in a temporary folder that lives as long as this.
class ScriptEngines {
 public:
  // The engine, and the options that are left for loading it in job.runner; nullopt: the job has no
  // scripts. Throws what build_engine() throws.
  std::optional<ModelSource> build(EngineJob& job, Logger& log);

 private:
  struct Built {
    std::string key;
    ScratchFolder folder;
  };

  std::vector<std::unique_ptr<const Built>> built_;
};

}  // namespace polygraphy
