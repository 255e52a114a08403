// Names of the parts of a model, for expectations.
#pragma once

#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

inline std::vector<std::string> names(const std::vector<graphsurgeon::TensorRef>& tensors) {
  std::vector<std::string> result;
  for (const auto& tensor : tensors) result.emplace_back(tensor->name());
  return result;
}

inline std::vector<std::string> ops(const graphsurgeon::Model& model) {
  std::vector<std::string> result;
  for (const auto& node : model.graph->nodes()) result.emplace_back(node->op());
  return result;
}

}  // namespace polygraphy
