// Runs parts of a model in a separate process.
#pragma once

#include <memory>
#include <string>

#include "base/cancel.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/models/candidates/candidate_folder.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"
#include "polygraphy/runtimes/worker/worker_client.h"

namespace polygraphy {

// The ONNX Runtime that set-up fetched, in a worker: the model that is reduced often crashes it.
// Graph optimizations are off, so that values are those of the operators as they stand. Weights are
// mapped from the files that the model was loaded from.
class SubmodelRunner {
 public:
  // Of parts of `model`. `program`: as Isolation::program. Nothing is started before the first
  // run. `model` and `log` must outlive this. The runtime's own messages
  // appear from VERBOSE on.
  SubmodelRunner(const graphsurgeon::Model& model, std::string program, PluginPaths paths,
                 Logger& log, CancelToken cancel = {});

  // The outputs of `part`, which may have been edited; `feeds` holds its inputs, and may hold more.
  // Throws RunnerFailure (the runtime cannot run it, or crashes), Error, Interrupted.
  ValueMap run(const graphsurgeon::Model& part, const ValueMap& feeds);

 private:
  const graphsurgeon::Model& model_;
  Logger quiet_;
  WorkerClient worker_;
  std::unique_ptr<CandidateFolder> folder_;
};

}  // namespace polygraphy
