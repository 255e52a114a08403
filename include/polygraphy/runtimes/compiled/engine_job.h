// Jobs of a library that compiles models: build an engine, and find the nodes of a model that it
// supports. See network.h for its network, engine.h for a description of an engine.
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
// a separate process, so that its crash is an error; `runner.timeout` counts there.
struct EngineJob {
  RunnerSpec runner = {.backend = "tensorrt"};
  ModelSource model = {};
  RunnerTools tools = {};
  // The library times kernels there (DeviceTurn), so builds take turns: "gpu-0". Empty: no turns.
  std::string device = {};
};

// Compiles the model and writes the engine to `path`, whole or not at all. Scripts of TensorRT
// among the options, or as the model, run in `tools.python`. Throws Error: the options or the
// model; RunnerFailure: the library, its process, or a script. Peak memory: the engine's size and
// what the library takes.
void build_engine(const EngineJob& job, const std::string& path, Logger& log);

// The reason why the library refuses a node.
struct RefusedNode {
  int64_t node = -1;  // index in the model's order; -1: not a single node
  std::string name, op, reason;
  std::vector<std::string> functions;  // local functions around it, the outermost first
};
// Adjacent nodes that the library accepts inside the model. `supported`: it also accepts them as a
// separate model; false: not known. The library refuses nodes outside of all parts.
struct ModelPart {
  bool supported = false;
  std::vector<int64_t> nodes;
};
struct Capability {
  bool supported = false;
  std::vector<RefusedNode> refused;
  std::vector<ModelPart> parts;
};
// Throws the errors of build_engine().
Capability find_capability(const EngineJob& job, Logger& log);

}  // namespace polygraphy
