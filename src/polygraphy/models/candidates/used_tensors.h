// The variables that the nodes of a model's main graph use.
#pragma once

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/nested_graphs.h"

namespace polygraphy {

// Valid while the graph is not edited. O(model) to construct.
class UsedTensors {
 public:
  explicit UsedTensors(const graphsurgeon::Model& model) {
    for (graphsurgeon::Graph* inner : graphsurgeon::inner_graphs_first(*model.graph)) {
      captures_.add(*inner);
    }
  }

  // Calls `use` for the variables that the node reads, itself or in its subgraphs.
  template <typename Use>
  void of(const graphsurgeon::Node& node, Use use) const {
    const auto each = [&](graphsurgeon::Tensor& tensor) {
      if (!tensor.is_empty() && !tensor.is_constant()) use(tensor);
    };
    for (graphsurgeon::Tensor* input : node.inputs()) each(*input);
    captures_.for_each(node, each);
  }

 private:
  graphsurgeon::Captures captures_;
};

}  // namespace polygraphy
