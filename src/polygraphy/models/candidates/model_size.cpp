#include "polygraphy/models/candidates/model_size.h"

#include "graphsurgeon/io/model_visitor.h"

namespace polygraphy {
namespace {

int64_t elements_of(const graphsurgeon::Tensor& tensor) {
  const auto shape = tensor.shape();
  if (!shape) return 0;
  int64_t count = 1;
  for (const graphsurgeon::Dim& dim : *shape) {
    if (!dim.is_static() || __builtin_mul_overflow(count, dim.value(), &count)) return 0;
  }
  return count;
}

}  // namespace

ModelSize model_size(const graphsurgeon::Model& model) {
  ModelSize size;
  for (const graphsurgeon::Graph* graph : graphsurgeon::all_graphs(model)) {
    size.nodes += static_cast<int64_t>(graph->nodes().size());
    for (const auto& node : graph->nodes()) {
      for (const graphsurgeon::Attribute& attribute : node->attributes()) {
        size.attributes += attribute.holds_graphs() ? 0 : 1;
      }
    }
    for (const auto& tensor : graph->initializers()) size.elements += elements_of(*tensor);
  }
  const graphsurgeon::Graph& graph = *model.graph;
  size.inputs = static_cast<int64_t>(graph.inputs().size() + graph.outputs().size());
  for (const auto& input : graph.inputs()) {
    if (input->is_constant()) continue;
    size.elements += elements_of(*input);
    if (!input->declared_shape()) continue;
    for (const graphsurgeon::Dim& dim : *input->declared_shape()) {
      size.open += dim.is_static() ? 0 : 1;
    }
  }
  return size;
}

}  // namespace polygraphy
