#include "graphsurgeon/passes/insert_node.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "graphsurgeon/passes/cleanup.h"
#include "graphsurgeon/passes/detach.h"
#include "graphsurgeon/passes/toposort.h"

namespace graphsurgeon {
namespace {

using polygraphy::Error;

constexpr std::string_view kSuffix = "_polygraphy_surgeon_insert_output";

// The replacement of `tensor`, an input of the node, behind the node.
TensorRef split_off(Graph& graph, Tensor& tensor) {
  const std::string name(tensor.name());
  TensorNames taken = tensor_names(graph);
  const std::string other = unused_name(taken, name + std::string(kSuffix));
  auto& outputs = graph.mutable_outputs();
  const bool is_output = std::any_of(outputs.begin(), outputs.end(), [&](const TensorRef& output) {
    return output.get() == &tensor;
  });
  TensorRef after = Tensor::variable(graph.store(), is_output ? name : other,
                                     is_output ? tensor.dtype() : DataType::kUndefined);
  for (const NodeRef& consumer : tensor.consumers().snapshot()) {
    for (size_t i = 0; i < consumer->inputs().size(); ++i) {
      if (consumer->inputs()[i] == &tensor) consumer->inputs().set(i, after);
    }
  }
  if (!is_output) return after;
  tensor.set_name(other);
  for (TensorRef& output : outputs) {
    if (output.get() == &tensor) output = after;
  }
  return after;
}

void refuse_inputs(const Graph& graph, const NodeToInsert& wanted) {
  std::unordered_set<const Tensor*> inputs;
  for (const TensorRef& input : graph.inputs()) inputs.insert(input.get());
  for (const TensorRef& output : wanted.outputs) {
    const bool between =
        std::find(wanted.inputs.begin(), wanted.inputs.end(), output) != wanted.inputs.end();
    if (between || (!inputs.contains(output.get()) && !output->is_constant())) continue;
    throw Error("The new node " + wanted.op + " cannot produce the tensor '" +
                    std::string(output->name()) + "': it is " +
                    (output->is_constant() ? "a constant" : "an input") + " of the model",
                "To insert the node between the tensor and its consumers, add the tensor to the "
                "inputs, too.");
  }
}

// Where in the main graph each node stands; nodes in subgraphs: where the node around them does.
class Positions {
 public:
  explicit Positions(const Graph& main) {
    for (size_t i = 0; i < main.nodes().size(); ++i) {
      std::vector<const Node*> todo = {main.nodes()[i].get()};
      while (!todo.empty()) {
        const Node* node = todo.back();
        todo.pop_back();
        positions_.emplace(node, i);
        if (!node->has_subgraphs()) continue;
        for (const GraphRef& inner : node->subgraphs()) {
          for (const NodeRef& deeper : inner->nodes()) todo.push_back(deeper.get());
        }
      }
    }
  }

  // Behind the last producer of the node's inputs.
  size_t behind_producers(const Node& node) const {
    size_t position = 0;
    for (const Tensor* input : node.inputs()) {
      for (const Node* producer : input->producers()) {
        if (const auto found = positions_.find(producer); found != positions_.end()) {
          position = std::max(position, found->second + 1);
        }
      }
    }
    return position;
  }

  bool has_consumer_before(const Node& node, size_t position) const {
    for (const Tensor* output : node.outputs()) {
      for (const Node* consumer : output->consumers()) {
        if (consumer == &node) return true;
        const auto found = positions_.find(consumer);
        if (found != positions_.end() && found->second < position) return true;
      }
    }
    return false;
  }

 private:
  std::unordered_map<const Node*, size_t> positions_;
};

}  // namespace

NodeRef insert_node(Model& model, const NodeToInsert& wanted) {
  Graph& graph = *model.graph;
  refuse_inputs(graph, wanted);
  NodeRef node = Node::create(graph.store(), wanted.op, wanted.name);
  std::vector<TensorRef> outputs;
  for (const TensorRef& output : wanted.outputs) {
    if (std::find(wanted.inputs.begin(), wanted.inputs.end(), output) != wanted.inputs.end()) {
      outputs.push_back(split_off(graph, *output));
    } else {
      detach_producers(graph, *output);
      outputs.push_back(output);
    }
  }
  node->inputs().assign(wanted.inputs);
  node->outputs().assign(std::move(outputs));
  for (const Attribute& attribute : wanted.attributes) node->set_attribute(attribute);

  const Positions positions(graph);
  const size_t position = positions.behind_producers(*node);
  const bool unsorted = positions.has_consumer_before(*node, position);
  auto& nodes = graph.mutable_nodes();
  nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(position), node);
  if (unsorted) toposort(graph, {.recurse_subgraphs = false});
  cleanup(model);
  return node;
}

}  // namespace graphsurgeon
