// Jobs of a library that compiles models: build an engine, and find the nodes of a model that it
// supports. See network.h for its network, engine.h for a description of an engine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"
#include "polygraphy/runtimes/backend/session_options.h"

namespace polygraphy {

// The model, and the library for the job.
struct EngineJob {
  std::string backend = "tensorrt";
  ModelSource model = {};
  SessionOptions options = {};
  std::string library = {};  // empty: the first one found
  PluginPaths paths = {};
  // The executable of Isolation::program, which turns a crash of the library into an error. Empty:
  // this process opens the library.
  std::string program = {};
  std::optional<double> timeout = {};  // seconds, with `program`
  CancelToken cancel = {};
};

// Compiles the model and writes the engine to `path` atomically. Throws Error for the options or
// the model; RunnerFailure for the library or its process. Peak memory: the engine's size plus that
// of the library.
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
