#include "polygraphy/models/candidates/prune_unused.h"

#include <unordered_set>

#include "graphsurgeon/ir/nested_graphs.h"

namespace polygraphy {

using graphsurgeon::Graph;
using graphsurgeon::Tensor;

void keep_unread(graphsurgeon::Model& model) {
  std::unordered_set<const Tensor*> returned;
  for (const Graph* graph : graphsurgeon::inner_graphs_first(*model.graph)) {
    for (const auto& output : graph->outputs()) returned.insert(output.get());
  }
  for (const auto& node : model.graph->nodes()) {
    Tensor* unread = nullptr;
    bool is_read = false;
    for (Tensor* output : node->outputs()) {
      if (output->is_empty()) continue;
      is_read = is_read || !output->consumers().empty() || returned.contains(output);
      if (!unread && output->dtype() != DataType::kUndefined) unread = output;
    }
    if (!is_read && unread) model.graph->mutable_outputs().emplace_back(unread);
  }
}

}  // namespace polygraphy
