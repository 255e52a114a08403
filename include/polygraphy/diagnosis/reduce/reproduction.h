// A folder that reproduces a failure on another machine: `debug reduce --reproduction`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/inputs/candidate_inputs.h"
#include "polygraphy/runtimes/runner_spec/runner_tools.h"

namespace polygraphy {

// The folder has files of these names that are not from a reproduction.
inline constexpr ErrorCode kReproductionInTheWay{"reproduction-in-the-way"};
// Names of the files of a reproduction, separated by blanks.
inline constexpr std::string_view kReproductionFiles =
    "model.onnx inputs.json check.sh versions.txt README.md";

struct Reproduction {
  std::string folder = {};  // made where it is missing
  std::string typed = {};   // the folder as the user typed it, for messages
  // The check: a command, or the options of an in-process one, for a shell.
  std::vector<std::string> command = {};
  std::string options = {};
  // The options of a run on the back ends of the check, for a shell; empty: ONNX Runtime.
  std::string runners = {};
  // The model's file name for commands that use neither {model} nor POLYGRAPHY_DEBUG_MODEL.
  std::string artifact = {};
  std::string failure = {};  // the kind of failure; empty: not known
  std::string summary = {};
  CandidateInputs inputs = {};  // null: no inputs are written
  RunnerTools tools = {};       // for the versions of back ends
};

// Whether the folder is one that write_reproduction() has begun to write, or has written.
bool is_reproduction(const std::string& folder);

// Writes model.onnx, inputs.json (the samples, with the values that new inputs had in the whole
// model), check.sh, versions.txt and README.md; replaces files of these names. `write` saves the
// model as one file. Leaves out inputs that cannot be computed, with a warning. Throws Error.
void write_reproduction(const Reproduction& reproduction, const graphsurgeon::Model& model,
                        const std::function<void(const std::string& path)>& write, Logger& log);

}  // namespace polygraphy
