// `surgeon insert`: puts one node into a model file, in place of the nodes between given tensors.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/arg.h"
#include "polygraphy/model_tools/surgeon/surgery.h"

namespace polygraphy {

struct InsertOptions {
  SurgeryFiles files;
  std::string op;
  std::string name = {};
  std::vector<std::string> inputs;   // names of tensors; an empty name: an omitted input
  std::vector<std::string> outputs;  // names of tensors
  std::vector<std::pair<std::string, graphsurgeon::Arg>> attributes = {};
};

// Runs graphsurgeon's insert_node() by names. VERBOSE: the node. Returns the saved model. Throws
// Error.
graphsurgeon::Model insert(const InsertOptions& options, Logger& log);

}  // namespace polygraphy
