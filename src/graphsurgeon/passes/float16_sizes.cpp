#include "graphsurgeon/passes/float16_sizes.h"

#include <algorithm>
#include <string_view>

#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/operators/operator_facts.h"

namespace graphsurgeon {
namespace {

// Inputs by whose values results are counted.
bool counts_by(const Node& node, size_t position) {
  const std::string_view op = node.op();
  if (op == "NonZero" || op == "Unique" || op == "Loop") return position == 0;
  return (op == "Compress" && position == 1) || op == "NonMaxSuppression";
}

bool makes_sizes(const Node& node) {
  return node.op() == "Shape" || node.op() == "Size";
}

// Keeping the main operators of networks in float32 would convert nothing.
bool is_network(const Node& node) {
  return node.has_subgraphs() || !is_default_domain(node.domain()) ||
         facts_of(node).layer != LayerKind::kNone;
}

class Search {
 public:
  Search(const std::vector<const Graph*>& graphs, const TensorTypes& types) {
    for (const Graph* graph : graphs) {
      for (const NodeRef& node : graph->nodes()) collect(*node, types);
    }
  }

  bool is_of_network(const Tensor& value) const { return of_network_.contains(&value); }

  // Adds the nodes that compute this value, which is not of a network.
  void look_back(const Tensor& value, std::unordered_set<const Node*>& kept) const {
    std::vector<const Tensor*> todo = {&value};
    while (!todo.empty()) {
      const Tensor& tensor = *todo.back();
      todo.pop_back();
      const Node* producer = tensor.is_empty() ? nullptr : tensor.producer();
      if (producer == nullptr || makes_sizes(*producer) || producer->has_subgraphs() ||
          !kept.insert(producer).second) {
        continue;
      }
      for (const Tensor* input : producer->inputs()) todo.push_back(input);
    }
  }

 private:
  void collect(const Node& node, const TensorTypes& types) {
    if (makes_sizes(node)) return;
    const bool follows = !node.has_subgraphs() &&
                         std::any_of(node.inputs().begin(), node.inputs().end(),
                                     [&](const Tensor* input) { return is_of_network(*input); });
    const bool network = is_network(node);
    for (const Tensor* output : node.outputs()) {
      if (follows || (network && types.is_float32(*output))) of_network_.insert(output);
    }
  }

  std::unordered_set<const Tensor*> of_network_;
};

}  // namespace

Float16Sizes find_sizes(const Model& model, const TensorTypes& types) {
  Float16Sizes sizes;
  const std::vector<const Graph*> graphs = graphs_in(*model.graph);
  const Search search(graphs, types);
  for (const Graph* graph : graphs) {
    for (const NodeRef& node : graph->nodes()) {
      if (!is_default_domain(node->domain())) continue;
      bool of_network = false;
      for (size_t i = 0; i < node->inputs().size(); ++i) {
        if (!facts_of(*node).decides_shape(i) && !counts_by(*node, i)) continue;
        const Tensor& value = *node->inputs()[i];
        if (search.is_of_network(value)) {
          of_network = true;
        } else {
          search.look_back(value, sizes.kept);
        }
      }
      if (of_network) sizes.of_network.push_back(node.get());
    }
  }
  return sizes;
}

}  // namespace graphsurgeon
