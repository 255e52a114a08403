// Names of the tensors in a list, such as the outputs of a graph.
#pragma once

#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// In their order. O(tensors).
inline std::vector<std::string> tensor_names(const std::vector<TensorRef>& tensors) {
  std::vector<std::string> names;
  names.reserve(tensors.size());
  for (const TensorRef& tensor : tensors) names.emplace_back(tensor->name());
  return names;
}

}  // namespace graphsurgeon
