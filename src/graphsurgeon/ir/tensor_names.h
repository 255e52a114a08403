// Names of tensors: in a list, in a graph, and new ones.
#pragma once

#include <string>
#include <unordered_set>
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

using TensorNames = std::unordered_set<std::string>;
// The names of all tensors of the main graph and of those nested in it. O(main).
TensorNames tensor_names(Graph& main);

// A name for a new tensor, which is taken from now on: `wanted`, or with the first number behind it
// that makes it one.
std::string unused_name(TensorNames& taken, const std::string& wanted);

}  // namespace graphsurgeon
