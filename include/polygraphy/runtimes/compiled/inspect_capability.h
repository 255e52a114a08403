// `inspect capability`: the nodes of a model that a compiling library supports.
#pragma once

#include <string>

#include "base/log.h"
#include "polygraphy/models/loaders/save_onnx.h"
#include "polygraphy/runtimes/compiled/engine_job.h"

namespace polygraphy {

struct InspectCapability {
  EngineJob job = {};
  // Also save the parts as models: supported_subgraph-nodes-0-4.onnx holds nodes 0 to 4.
  bool partition = false;
  std::string folder = {};  // folder of the parts and of results.txt
  // Options for saving parts; a name for external data gets the part's name as prefix.
  OnnxSaving saving = {};
};

// Logs a table of refused nodes with reasons, and saves it as results.txt. If the library supports
// all nodes, logs that and saves nothing. Throws Error.
void inspect_capability(const InspectCapability& options, Logger& log);

}  // namespace polygraphy
