// Jobs of a library that compiles models: build an engine, and find the nodes of a model that it
// supports. See network.h for its network, engine.h for a description of an engine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/record.h"
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

struct RefusedNode {
  int64_t node = -1;  // -1: not a single node
  std::string name, op, reason;
  std::vector<std::string> functions;
};
constexpr auto record_of(RecordOf<RefusedNode>) {
  using Of = RefusedNode;
  return record<Of>(
      "RefusedNode", "A node that a library does not support.",
      mapped(
          "node", [](const Of& of) { return of.node < 0 ? std::nullopt : std::optional(of.node); },
          [](Of& of, std::optional<int64_t> node) { of.node = node.value_or(-1); },
          "Its index in the model's order; null: not a single node."),
      member("name", &Of::name, "Its name."),
      member("operator", &Of::op, "Its operator.").python("op_type"),
      member("reason", &Of::reason, "The message of the library."),
      member("functions", &Of::functions, "The local functions around it, the outermost first.")
          .if_set());
}
// The library refuses nodes outside of all parts.
struct ModelPart {
  bool supported = false;
  std::vector<int64_t> nodes;
};
constexpr auto record_of(RecordOf<ModelPart>) {
  using Of = ModelPart;
  return record<Of>("ModelPart", "Adjacent nodes that a library accepts inside the model.",
                    member("nodes", &Of::nodes, "Their indices in the model's order."),
                    member("supported", &Of::supported,
                           "The library also accepts them as a separate model; false: not known."));
}
struct Capability {
  bool supported = false;
  std::vector<RefusedNode> refused;
  std::vector<ModelPart> parts;
};
// As a plugin reports it (pgb_inspect.capability).
constexpr auto record_of(RecordOf<Capability>) {
  using Of = Capability;
  return record<Of>("CapabilityFigures", "The nodes of a model that a library supports.",
                    member("supported", &Of::supported, "The library supports the whole model."),
                    member("errors", &Of::refused, "The nodes that it refuses.").python("refused"),
                    member("subgraphs", &Of::parts, "The parts that it accepts.").python("parts"));
}
// Throws the errors of build_engine().
Capability find_capability(const EngineJob& job, Logger& log);

}  // namespace polygraphy
