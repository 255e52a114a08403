// What somebody else needs to see a failure: `debug reduce --reproduction`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/session.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/model_checks/model_check.h"

namespace polygraphy::cli {

struct Reproduction {
  std::string folder;  // as typed; made where it is missing
  // The check: a command, or the option of one without a command and its engines.
  std::vector<std::string> command = {};
  std::string option = {};
  // The file that a command finds the model in that is told no other way.
  std::string artifact = {};
  std::string failure = {};  // how it failed; empty: that is not known
  std::string summary = {};
  CandidateInputs inputs = {};
};

// Writes model.onnx, inputs.json (the samples, with the values that new inputs had in the whole
// model), check.sh, versions.txt and README.md; files of these names are replaced. `write` saves
// the model as one file. Inputs that cannot be made are left out, with a warning. Throws Error.
void write_reproduction(const Reproduction& reproduction, const graphsurgeon::Model& model,
                        const std::function<void(const std::string& path)>& write,
                        Session& session);

}  // namespace polygraphy::cli
