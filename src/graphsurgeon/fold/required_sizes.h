// Dimensions that can have one size only, because a node does not run with any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

struct RequiredSize {
  const Tensor* tensor = nullptr;
  size_t axis = 0;
  int64_t size = 0;
};

// The open dimensions of the node's inputs for which its other inputs leave one size: the inner
// dimension of a matrix product, the channels of a convolution, the sum of the parts of a Split.
// Where a size of 1 is repeated, or empty tensors are skipped, there is a choice, and nothing is
// required.
std::vector<RequiredSize> required_sizes(const Node& node);

// The inputs of a graph with open dimensions, by the names of these dimensions.
class OpenInputs {
 public:
  OpenInputs() = default;
  explicit OpenInputs(const Graph& graph);

  // The shapes of inputs of which a dimension has no name, with names for these ("x_d0").
  const std::unordered_map<const Tensor*, DimList>& named() const { return named_; }

  // Gives the size to the input that has this dimension; returns that input. Null: none has it, or
  // several have dimensions of that name, which runtimes do not hold to be equal.
  Tensor* set(const RequiredSize& required);

 private:
  std::unordered_map<const Tensor*, DimList> named_;
  std::unordered_map<std::string, Tensor*> by_name_;  // null: several inputs
  std::unordered_map<const Tensor*, Tensor*> inputs_;
};

}  // namespace graphsurgeon
