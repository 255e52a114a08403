// Questions to a library that compiles models: the engine, and what it takes of a model. The
// network that it makes of one: network.h; what an engine is: engine.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"
#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy {

// A model, the library that compiles it, and its options. With `tools.program` the library works in
// a process of its own, so that its crash is an error; `runner.timeout` counts there.
struct EngineJob {
  RunnerSpec runner = {.backend = "tensorrt"};
  ModelSource model = {};
  RunnerTools tools = {};
};

// Compiles the model and writes the engine to `path`, whole or not at all. Scripts of TensorRT
// among the options, or as the model, run in `tools.python`. Throws Error: the options or the
// model; RunnerFailure: the library, its process, or a script. Peak memory: the engine's size and
// what the library takes.
void build_engine(const EngineJob& job, const std::string& path, Logger& log);

// Why a node is not taken.
struct RefusedNode {
  int64_t node = -1;  // in the model's order; -1: not one node
  std::string name, op, reason;
  std::vector<std::string> functions;  // in which it lies, the outermost first
};
// Nodes beside each other that are not refused where they stand. `supported`: nor are they as a
// model of their own; otherwise that has to be asked. What is in no part is refused.
struct ModelPart {
  bool supported = false;
  std::vector<int64_t> nodes;
};
struct Capability {
  bool supported = false;
  std::vector<RefusedNode> refused;
  std::vector<ModelPart> parts;
};
// Throws the same.
Capability find_capability(const EngineJob& job, Logger& log);

}  // namespace polygraphy
