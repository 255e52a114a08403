#include "graphsurgeon/passes/override_input_shapes.h"

#include <algorithm>
#include <unordered_set>

namespace graphsurgeon {
namespace {

// Sequences, optionals and maps keep their types whole: an element's shape cannot be dropped alone.
void forget_shape(Tensor& tensor) {
  if (tensor.type_kind() != TypeKind::kTensor || tensor.is_constant()) return;
  if (tensor.declared_shape() != nullptr) tensor.set_shape(std::nullopt);
}

// Of a body, which runtimes run only where its inputs and outputs have ranks, and of outputs of the
// model, which have ranks by the standard: a rank does not change with the sizes that are
// overridden.
void forget_sizes(Tensor& tensor) {
  if (tensor.type_kind() != TypeKind::kTensor || tensor.is_constant()) return;
  const DimList* shape = tensor.declared_shape();
  if (shape != nullptr && !shape->empty()) tensor.set_shape(DimList(shape->size()));
}

void forget_shapes(const Graph& graph, bool same_ranks) {
  const auto forget = [&](Tensor& tensor) {
    same_ranks ? forget_sizes(tensor) : forget_shape(tensor);
  };
  std::unordered_set<const Tensor*> at_ends;  // outputs of the graph and of bodies
  for (const TensorRef& output : graph.outputs()) {
    if (at_ends.insert(output.get()).second) forget(*output);
  }
  std::vector<const Graph*> todo = {&graph};
  while (!todo.empty()) {
    const Graph* inner = todo.back();
    todo.pop_back();
    for (const NodeRef& node : inner->nodes()) {
      for (Tensor* output : node->outputs()) {
        if (!at_ends.contains(output)) forget_shape(*output);
      }
      if (!node->has_subgraphs()) continue;
      for (const GraphRef& deeper : node->subgraphs()) {
        // Loop-carried values and slices have the shapes of the node's inputs.
        for (const TensorRef& input : deeper->inputs()) forget(*input);
        for (const TensorRef& output : deeper->outputs()) {
          if (at_ends.insert(output.get()).second) forget(*output);
        }
        todo.push_back(deeper.get());
      }
    }
  }
}

}  // namespace

void override_input_shapes(Model& model, const std::vector<std::pair<TensorRef, DimList>>& shapes) {
  const bool same_ranks = std::all_of(shapes.begin(), shapes.end(), [](const auto& each) {
    const DimList* before = each.first->declared_shape();
    return before != nullptr && before->size() == each.second.size();
  });
  forget_shapes(*model.graph, same_ranks);
  for (const FunctionRef& function : model.functions) {
    for (const TensorRef& input : function->inputs()) forget_shape(*input);
    forget_shapes(*function, same_ranks);
  }
  for (const auto& [tensor, shape] : shapes) tensor->set_shape(shape);
}

}  // namespace graphsurgeon
