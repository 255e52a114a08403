// Runs parts of a model, whatever they do to the engine.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/arrays/tensor_map.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/backend/plugin_host.h"
#include "polygraphy/reduce/candidates/candidate_folder.h"
#include "polygraphy/worker/worker_client.h"

namespace polygraphy {

// The ONNX Runtime that set-up brought, in a process of its own: a model that brings it down is
// what is looked for, more often than not. Graph optimizations are off, so that values are those of
// the operators as they stand. Weights are mapped from the files that the model was loaded from.
class SubmodelRunner {
 public:
  // Of parts of `model`. `program`: as Isolation::program. Nothing is started before the first
  // run. `model`, `log` and `cancel` (may be null) must outlive this. The engine's own messages
  // appear from VERBOSE on.
  SubmodelRunner(const graphsurgeon::Model& model, std::string program, PluginPaths paths,
                 Logger& log, const std::atomic<bool>* cancel = nullptr);

  // The outputs of `part`, which may have been edited; `feeds` holds its inputs, and may hold more.
  // Throws RunnerFailure (the engine cannot run it, or crashes), Error, Interrupted.
  TensorMap run(const graphsurgeon::Model& part, const TensorMap& feeds);

 private:
  const graphsurgeon::Model& model_;
  Logger quiet_;
  WorkerClient worker_;
  std::unique_ptr<CandidateFolder> folder_;
};

}  // namespace polygraphy
