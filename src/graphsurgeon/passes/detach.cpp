#include "graphsurgeon/passes/detach.h"

#include <string>

#include "graphsurgeon/ir/tensor_names.h"

namespace graphsurgeon {

void detach_producers(Graph& graph, Tensor& tensor) {
  while (Node* node = tensor.producer()) {
    if (node->outputs().size() == 1) {
      node->outputs().clear();
      continue;
    }
    for (size_t i = 0; i < node->outputs().size(); ++i) {
      if (node->outputs()[i] != &tensor) continue;
      TensorNames taken = tensor_names(graph);
      node->outputs().set(
          i, Tensor::variable(graph.store(),
                              unused_name(taken, std::string(tensor.name()) + "_unused"),
                              tensor.dtype(), tensor.shape()));
    }
  }
}

}  // namespace graphsurgeon
