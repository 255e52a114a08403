#include "graphsurgeon/passes/float16_plan.h"

#include <algorithm>
#include <string_view>

#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/operators/operator_facts.h"

namespace graphsurgeon {
namespace {

// Inputs with values that decide the number of results.
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

// Runtimes reduce in float32 only, and better so; operators of ai.onnx.ml keep numbers in
// attributes.
bool needs_float32(const Node& node, int64_t opset) {
  if (node.domain() == "ai.onnx.ml") return true;
  // In float16 ONNX Runtime makes it of Erf, which comes with opset 9.
  if (node.domain() == "com.microsoft" && node.op() == "Gelu") return opset < 9;
  if (!node.op().starts_with("Scatter")) return false;
  const Attribute* reduction = node.attribute("reduction");
  const auto* how = reduction ? std::get_if<std::string_view>(&reduction->value) : nullptr;
  return how && *how != "none";
}

bool is_weight(const Tensor& tensor) {
  return tensor.is_constant() && tensor.payload()->kind() != Payload::Kind::kSparse;
}

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

Float16Plan::Float16Plan(const Model& model, const Float16Options& options,
                         const TensorTypes& types)
    : model_(model),
      options_(options),
      types_(types),
      operators_(model),
      sizes_(find_sizes(model, types)) {
  collect_graphs();
  for (const Float16Graph& graph : graphs_) collect_tensors(graph);
  for (const Float16Graph& graph : graphs_) collect_wants(graph);
  for (const Float16Graph& graph : graphs_) decide(graph);
}

const Float16Tensor* Float16Plan::find(const Tensor& tensor) const {
  const auto found = tensors_.find(&tensor);
  return found == tensors_.end() || !found->second.graph ? nullptr : &found->second;
}

void Float16Plan::collect_graphs() {
  graphs_.push_back({model_.graph.get(), false, {}});
  for (size_t i = 0; i < graphs_.size(); ++i) {
    const auto& nodes = graphs_[i].graph->nodes();
    std::vector<bool> blocked(nodes.size());
    for (size_t n = 0; n < nodes.size(); ++n) {
      const bool is_of_shapes = follows_from_shapes(*nodes[n]);
      blocked[n] = graphs_[i].blocked || is_of_shapes || is_blocked(*nodes[n]);
      if (!nodes[n]->has_subgraphs()) continue;
      for (const GraphRef& inner : nodes[n]->subgraphs()) {
        graphs_.push_back({inner.get(), blocked[n], {}});
      }
    }
    graphs_[i].blocked_nodes = std::move(blocked);
  }
}

bool Float16Plan::is_blocked(const Node& node) const {
  if (options_.op_block_list.contains(node.op()) ||
      options_.node_block_list.contains(node.name()) || options_.kept_nodes.contains(&node) ||
      sizes_.kept.contains(&node) || operators_.is_call(node) ||
      needs_float32(node, model_.opset().value_or(0))) {
    return true;
  }
  const auto any_tensor = [&](auto is_one) {
    return std::any_of(node.inputs().begin(), node.inputs().end(), is_one) ||
           std::any_of(node.outputs().begin(), node.outputs().end(), is_one);
  };
  // A Cast of a tensor of unknown type would be a guess.
  if (any_tensor([&](const Tensor* tensor) { return types_.is_unknown(*tensor); })) return true;
  if (facts_of(node).movement == Movement::kRuns) return false;
  return any_tensor([&](const Tensor* tensor) { return types_.is_no_tensor(*tensor); });
}

// Results computed from sizes become sizes again, and float16 counts to 2048 only.
bool Float16Plan::follows_from_shapes(const Node& node) {
  bool follows = false;
  if (node.op() == "Shape" || node.op() == "Size") {
    follows = true;
  } else if (!node.has_subgraphs()) {
    const auto is_constant = [&](const Tensor* tensor) {
      const Node* producer = tensor->producer();
      return tensor->is_empty() || tensor->is_constant() ||
             (producer != nullptr && producer->op() == "Constant");
    };
    const auto& inputs = node.inputs();
    const auto is_of_shapes = [&](const Tensor* tensor) { return of_shapes_.contains(tensor); };
    follows = std::any_of(inputs.begin(), inputs.end(), is_of_shapes) &&
              std::all_of(inputs.begin(), inputs.end(), [&](const Tensor* tensor) {
                return is_of_shapes(tensor) || is_constant(tensor);
              });
  }
  if (!follows) return false;
  for (const Tensor* output : node.outputs()) of_shapes_.insert(output);
  return true;
}

void Float16Plan::collect_tensors(const Float16Graph& graph) {
  const auto add = [&](const Tensor& tensor, Node* producer) {
    if (!types_.is_float32(tensor)) return;
    Float16Tensor& fact = at(tensor);
    fact.graph = graph.graph;
    fact.producer = producer;
    fact.weight = is_weight(tensor);
  };
  for (const TensorRef& tensor : graph.graph->inputs()) add(*tensor, nullptr);
  for (const TensorRef& tensor : graph.graph->initializers()) {
    if (tensor->dtype() == DataType::kFloat32) {
      Float16Tensor& fact = at(*tensor);
      fact.graph = graph.graph;
      fact.weight = is_weight(*tensor);
    }
  }
  for (const NodeRef& node : graph.graph->nodes()) {
    // A constant that no list of initializers has belongs to the first graph that uses it.
    for (const Tensor* tensor : node->inputs()) {
      if (tensor->is_constant() && !at(*tensor).graph) add(*tensor, nullptr);
    }
    for (const Tensor* tensor : node->outputs()) add(*tensor, node.get());
  }
  // Defaults of inputs belong to the interface, except in models so old that every weight is
  // listed as an input.
  constexpr int64_t kInitializersNeedNotBeInputs = 4;
  if (graph.graph == model_.graph.get() && model_.ir_version >= kInitializersNeedNotBeInputs) {
    for (const TensorRef& tensor : graph.graph->inputs()) {
      if (types_.is_float32(*tensor)) at(*tensor).weight = false;
    }
  }
}

Precision Float16Plan::wanted(const Float16Graph& graph, size_t node, size_t slot) {
  if (graph.blocked_nodes[node]) return Precision::kFloat32;
  return operators_.input(*graph.graph->nodes()[node], slot);
}

bool Float16Plan::works_in_float16(size_t n) {
  const Float16Graph& graph = graphs_.front();
  const Node& node = *graph.graph->nodes()[n];
  if (graph.blocked_nodes[n] || node.op() == "Constant") return false;
  for (const Tensor* output : node.outputs()) {
    const Float16Tensor* fact = find(*output);
    if (fact && fact->is_float16) return true;
  }
  for (size_t i = 0; i < node.inputs().size(); ++i) {
    if (find(*node.inputs()[i]) && wanted(graph, n, i) == Precision::kFloat16) return true;
  }
  return false;
}

Precision Float16Plan::wanted_output(const Float16Graph& graph) const {
  return keeps_interface(graph) ? Precision::kFloat32 : Precision::kFloat16;
}

void Float16Plan::want(const Tensor& tensor, Precision precision) {
  const auto found = tensors_.find(&tensor);
  if (found == tensors_.end()) return;
  if (precision == Precision::kFloat16) ++found->second.wanted_as_float16;
  if (precision == Precision::kFloat32) ++found->second.wanted_as_float32;
}

void Float16Plan::collect_wants(const Float16Graph& graph) {
  const auto& nodes = graph.graph->nodes();
  for (size_t n = 0; n < nodes.size(); ++n) {
    for (size_t i = 0; i < nodes[n]->inputs().size(); ++i) {
      want(*nodes[n]->inputs()[i], wanted(graph, n, i));
    }
  }
  for (const TensorRef& tensor : graph.graph->outputs()) {
    want(*tensor, wanted_output(graph));
    const auto found = tensors_.find(tensor.get());
    if (found != tensors_.end() && graph.graph == model_.graph.get()) {
      found->second.is_output = true;
    }
  }
}

void Float16Plan::decide(const Float16Graph& graph) {
  const auto set = [&](const Tensor& tensor, bool is_float16) {
    if (const auto found = tensors_.find(&tensor); found != tensors_.end()) {
      found->second.is_float16 = is_float16;
    }
  };
  for (const TensorRef& tensor : graph.graph->inputs()) {
    set(*tensor, !keeps_interface(graph) && !tensor->is_constant());
  }
  const auto& nodes = graph.graph->nodes();
  for (size_t n = 0; n < nodes.size(); ++n) {
    for (size_t i = 0; i < nodes[n]->outputs().size(); ++i) {
      set(*nodes[n]->outputs()[i], gives_float16(graph, n, i));
    }
  }
  for (const TensorRef& tensor : graph.graph->initializers()) {
    if (const auto found = tensors_.find(tensor.get()); found != tensors_.end()) {
      found->second.is_float16 = found->second.weight && found->second.wanted_as_float32 == 0;
    }
  }
}

bool Float16Plan::gives_float16(const Float16Graph& graph, size_t n, size_t slot) {
  const Node& node = *graph.graph->nodes()[n];
  if (graph.blocked_nodes[n] || operators_.output(node, slot) == Precision::kFloat32) return false;
  const auto found = tensors_.find(node.outputs()[slot]);
  if (found == tensors_.end()) return false;
  const Float16Tensor& fact = found->second;
  // A Cast produces the type that its consumers want; a constant stays float32 if one of them needs
  // its precision.
  if (node.op() == "Cast") return fact.wanted_as_float16 > 0 || fact.wanted_as_float32 == 0;
  if (node.op() == "Constant")
    return fact.wanted_as_float32 == 0 && !node.attribute("sparse_value");
  return true;
}

}  // namespace graphsurgeon
