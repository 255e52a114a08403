// What somebody else needs to see a failure: `debug reduce --reproduction`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/inputs/candidate_inputs.h"
#include "polygraphy/runtimes/backend/plugin_paths.h"

namespace polygraphy {

// The folder has files of these names that no reproduction wrote.
inline constexpr ErrorCode kReproductionInTheWay{"reproduction-in-the-way"};
// What a reproduction consists of: names, separated by blanks.
inline constexpr std::string_view kReproductionFiles =
    "model.onnx inputs.json check.sh versions.txt README.md";

struct Reproduction {
  std::string folder = {};  // made where it is missing
  std::string typed = {};   // the same as the user has it, for messages
  // The check: a command, or the options of an in-process one, for a shell.
  std::vector<std::string> command = {};
  std::string options = {};
  // The options of a run on the back ends of the check, for a shell; empty: ONNX Runtime.
  std::string runners = {};
  // The file that a command finds the model in that is told no other way.
  std::string artifact = {};
  std::string failure = {};  // how it failed; empty: that is not known
  std::string summary = {};
  CandidateInputs inputs = {};  // null: none are written
  PluginPaths paths = {};       // where the back ends are whose versions are written
};

// Writes model.onnx, inputs.json (the samples, with the values that new inputs had in the whole
// model), check.sh, versions.txt and README.md; files of these names are replaced. `write` saves
// the model as one file. Inputs that cannot be made are left out, with a warning. Throws Error.
void write_reproduction(const Reproduction& reproduction, const graphsurgeon::Model& model,
                        const std::function<void(const std::string& path)>& write, Logger& log);

}  // namespace polygraphy
