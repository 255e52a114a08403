#include "polygraphy/diagnosis/locate/models/replaced_results.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/ir/copy.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/candidates/prune_unused.h"

namespace polygraphy {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

Model with_given_results(const Model& model, const NodePart& positions,
                         const std::function<const Array*(const std::string&)>& value) {
  Model made = graphsurgeon::copy(model);
  Graph& graph = *made.graph;
  std::vector<NodeRef> nodes = graph.nodes();
  std::unordered_set<const Tensor*> given;
  for (const size_t position : positions) {
    const NodeRef node = std::exchange(nodes[position], nullptr);
    for (const TensorRef& output : node->outputs().snapshot()) {
      if (output->is_empty()) continue;
      given.insert(output.get());
      if (const Array* array = value(std::string(output->name()))) {
        const TensorInfo info = info_of(*array);
        output->set_dtype(info.dtype);
        output->set_shape(info.shape);
      }
      graph.mutable_inputs().push_back(output);
    }
    node->outputs().clear();
    node->inputs().clear();
  }
  std::erase_if(nodes, [](const NodeRef& node) { return !node; });
  graph.mutable_nodes() = std::move(nodes);
  std::erase_if(graph.mutable_outputs(),
                [&](const TensorRef& output) { return given.contains(output.get()); });
  std::erase_if(graph.mutable_value_infos(),
                [&](const TensorRef& tensor) { return given.contains(tensor.get()); });
  prune_unused(made);
  return made;
}

}  // namespace polygraphy
