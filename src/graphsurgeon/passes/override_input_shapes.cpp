#include "graphsurgeon/passes/override_input_shapes.h"

namespace graphsurgeon {
namespace {

// Sequences, optionals and maps keep their types whole: an element's shape cannot be dropped alone.
void forget_shape(Tensor& tensor) {
  if (tensor.type_kind() != TypeKind::kTensor || tensor.is_constant()) return;
  if (tensor.declared_shape() != nullptr) tensor.set_shape(std::nullopt);
}

void forget_shapes(const Graph& graph) {
  std::vector<const Graph*> todo = {&graph};
  while (!todo.empty()) {
    const Graph* inner = todo.back();
    todo.pop_back();
    for (const NodeRef& node : inner->nodes()) {
      for (Tensor* output : node->outputs()) forget_shape(*output);
      if (!node->has_subgraphs()) continue;
      for (const GraphRef& deeper : node->subgraphs()) {
        // Loop-carried values and slices have the shapes of what the node is given.
        for (const TensorRef& input : deeper->inputs()) forget_shape(*input);
        todo.push_back(deeper.get());
      }
    }
  }
}

}  // namespace

void override_input_shapes(Model& model, const std::vector<std::pair<TensorRef, DimList>>& shapes) {
  forget_shapes(*model.graph);
  for (const FunctionRef& function : model.functions) {
    for (const TensorRef& input : function->inputs()) forget_shape(*input);
    forget_shapes(*function);
  }
  for (const auto& [tensor, shape] : shapes) tensor->set_shape(shape);
}

}  // namespace graphsurgeon
