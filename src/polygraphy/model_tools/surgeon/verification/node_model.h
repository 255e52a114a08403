// The part of a model in which one rewrite took place, small enough for a bug report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

class BundledRuntime;

// Identifies the node: its name, operator, and tensors that it produces.
struct NodeToFind {
  std::string node, op;
  std::vector<std::string> tensors;
};

struct NodeModel {
  std::string model;   // path; empty: the node was not found
  std::string inputs;  // path; empty: no inputs, or they could not be observed
};

// Saves `<stem>.onnx`, a model of that node alone (of the node of the main graph that contains it
// in subgraphs or a function, with the Constant nodes that feed it), and `<stem>.inputs.json`, its
// inputs when `model` ran on `feed`, for --load-inputs. Gives the node's inputs of unknown type the
// observed types. Throws IoError; inputs that the runtime cannot compute are left out.
NodeModel save_node_model(BundledRuntime& runtime, const graphsurgeon::Model& model,
                          const NodeToFind& where, const ValueMap& feed, const std::string& stem,
                          Logger& log);

}  // namespace polygraphy
