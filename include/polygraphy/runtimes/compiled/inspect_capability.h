// `inspect capability`: which nodes of a model a library that compiles models takes.
#pragma once

#include <string>

#include "base/log.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {

struct InspectCapability {
  EngineJob job = {};
  // Also the parts themselves, as models: supported_subgraph-nodes-0-4.onnx is nodes 0 to 4.
  bool partition = false;
  std::string folder = {};  // of those and of results.txt
  // How parts are saved; a name for external data gets the part's in front.
  OnnxSaving saving = {};
};

// Logs a table of what is refused and why, and saves it as results.txt; says so where everything is
// taken, and saves nothing then. Throws Error.
void inspect_capability(const InspectCapability& options, Logger& log);

}  // namespace polygraphy
