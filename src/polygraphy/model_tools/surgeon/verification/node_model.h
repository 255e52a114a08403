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

// Which node: its name, operator, and tensors that it produces.
struct NodeToFind {
  std::string node, op;
  std::vector<std::string> tensors;
};

struct NodeModel {
  std::string model;   // path; empty: the node was not found
  std::string inputs;  // path; empty: they could not be observed, or there are none
};

// Saves `<stem>.onnx`, a model of that node alone (of the node of the main graph whose subgraphs or
// function it lies in, with the Constant nodes that feed it), and `<stem>.inputs.json`, what
// reached it when `model` ran on `feed`: for --load-inputs. Gives the node's inputs the observed
// types where the model tells none. Throws IoError; inputs that the runtime cannot compute are left
// out.
NodeModel save_node_model(BundledRuntime& runtime, const graphsurgeon::Model& model,
                          const NodeToFind& where, const ValueMap& feed, const std::string& stem,
                          Logger& log);

}  // namespace polygraphy
