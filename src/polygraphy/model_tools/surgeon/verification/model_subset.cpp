#include "polygraphy/model_tools/surgeon/verification/model_subset.h"

#include <unordered_set>
#include <utility>

#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/access.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::GraphAccess;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Store;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

// A graph in a separate store, so that changes of its lists are not edits of the model.
Model with_new_graph(const Model& model) {
  Model view = model;
  view.graph = Graph::create(*Store::create(), model.graph->name());
  view.loaded_bytes = {};
  view.loaded_header = nullptr;
  return view;
}

}  // namespace

Model with_outputs(const Model& model, std::vector<TensorRef> outputs) {
  const Graph& graph = *model.graph;
  Model view = with_new_graph(model);
  GraphAccess::nodes(*view.graph) = graph.nodes();
  GraphAccess::inputs(*view.graph) = graph.inputs();
  GraphAccess::initializers(*view.graph) = graph.initializers();
  GraphAccess::value_infos(*view.graph) = graph.value_infos();
  GraphAccess::outputs(*view.graph) = std::move(outputs);
  return view;
}

Model with_nodes(const Model& model, std::vector<NodeRef> nodes, std::vector<TensorRef> inputs,
                 std::vector<TensorRef> outputs) {
  Model view = with_new_graph(model);
  GraphAccess::nodes(*view.graph) = std::move(nodes);
  GraphAccess::inputs(*view.graph) = std::move(inputs);
  GraphAccess::outputs(*view.graph) = std::move(outputs);
  // Used in the graph itself or in graphs nested in it; in the order of the model's list.
  std::unordered_set<const Tensor*> used;
  for (const Graph* graph : graphsurgeon::all_graphs(view)) {
    for (const NodeRef& node : graph->nodes()) {
      for (const Tensor* input : node->inputs()) {
        if (input->is_constant()) used.insert(input);
      }
    }
    for (const TensorRef& output : graph->outputs()) used.insert(output.get());
  }
  for (const TensorRef& tensor : model.graph->initializers()) {
    if (used.contains(tensor.get())) GraphAccess::initializers(*view.graph).push_back(tensor);
  }
  return view;
}

}  // namespace polygraphy
