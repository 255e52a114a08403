#include "graphsurgeon/ir/tensor_names.h"

#include "graphsurgeon/ir/nested_graphs.h"

namespace graphsurgeon {

TensorNames tensor_names(Graph& main) {
  TensorNames names;
  const auto take = [&](const Tensor& tensor) { names.emplace(tensor.name()); };
  for (const Graph* graph : inner_graphs_first(main)) {
    for (const auto* list : {&graph->inputs(), &graph->outputs(), &graph->initializers()}) {
      for (const TensorRef& tensor : *list) take(*tensor);
    }
    for (const NodeRef& node : graph->nodes()) {
      for (const Tensor* tensor : node->inputs()) take(*tensor);
      for (const Tensor* tensor : node->outputs()) take(*tensor);
    }
  }
  return names;
}

std::string unused_name(TensorNames& taken, const std::string& wanted) {
  std::string name = wanted;
  for (int i = 1; !taken.insert(name).second; ++i) name = wanted + '_' + std::to_string(i);
  return name;
}

}  // namespace graphsurgeon
