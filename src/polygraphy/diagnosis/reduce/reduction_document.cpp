#include "polygraphy/diagnosis/reduce/reduction_document.h"

#include "graphsurgeon/ir/nested_graphs.h"

namespace polygraphy {
namespace {

std::vector<std::string> names_of(const auto& tensors) {
  std::vector<std::string> names;
  for (const graphsurgeon::Tensor* tensor : tensors) {
    if (!tensor->is_empty()) names.emplace_back(tensor->name());
  }
  return names;
}

}  // namespace

std::vector<FailingNode> failing_nodes(const ReduceResult& result) {
  std::vector<FailingNode> nodes;
  if (!result.bad) return nodes;
  for (const graphsurgeon::Graph* graph : graphsurgeon::inner_graphs_first(*result.bad->graph)) {
    int64_t place = 0;
    for (const auto& node : graph->nodes())
      nodes.push_back({std::string(node->name()), std::string(node->op()), place++,
                       names_of(node->inputs()), names_of(node->outputs())});
  }
  return nodes;
}

}  // namespace polygraphy
