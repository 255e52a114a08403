// Questions to a library that compiles models: the engine, and what it takes of a model. The
// network that it makes of one: network.h; what an engine is: engine.h.
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

// What is asked, and of whom.
struct EngineJob {
  std::string backend = "tensorrt";
  ModelSource model = {};
  SessionOptions options = {};
  std::string library = {};  // empty: the one that is found
  PluginPaths paths = {};
  // The executable of Isolation::program: a crash in the library is an error then. Empty: the
  // library is opened in this process.
  std::string program = {};
  std::optional<double> timeout = {};  // seconds, with `program`
  CancelToken cancel = {};
};

// Compiles the model and writes the engine to `path`, whole or not at all. Throws Error: the
// options or the model; RunnerFailure: the library, or its process. Peak memory: the engine's size
// and what the library takes.
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
