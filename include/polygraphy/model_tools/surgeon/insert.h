// `surgeon insert`: puts one node into a model file, in place of what lay between given tensors.
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
  std::vector<std::string> inputs;   // names of tensors; an empty one: an input that is left out
  std::vector<std::string> outputs;  // names of tensors
  std::vector<std::pair<std::string, graphsurgeon::Arg>> attributes = {};
};

// graphsurgeon's insert_node(), by names. VERBOSE: the node. Returns the result as it is saved.
// Throws Error.
graphsurgeon::Model insert(const InsertOptions& options, Logger& log);

}  // namespace polygraphy
