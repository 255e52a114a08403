#include "polygraphy/models/candidates/keep_nodes.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/ir/layer.h"
#include "graphsurgeon/ir/nested_graphs.h"

namespace polygraphy {
namespace {

using graphsurgeon::Dim;
using graphsurgeon::DimList;
using graphsurgeon::Graph;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;
using graphsurgeon::TypeKind;

// Zeros instead of a variable; false where its type or shape is not known.
bool make_zero(Tensor& tensor) {
  if (tensor.type_kind() != TypeKind::kTensor || !tensor.declared_shape()) return false;
  if (tensor.dtype() == DataType::kUndefined || tensor.dtype() == DataType::kString) return false;
  Shape shape;
  for (const Dim& dim : *tensor.declared_shape()) {
    if (!dim.is_static()) return false;
    shape.push_back(dim.value());
  }
  tensor.to_constant(
      graphsurgeon::splat_payload(Array::zeros(tensor.dtype(), {}), std::move(shape)));
  return true;
}

// As far as types are known.
bool may_be_of_one_type(const Tensor& a, const Tensor& b) {
  if (a.type_kind() != b.type_kind()) return false;
  if (a.type_kind() != TypeKind::kTensor) return true;
  if (a.dtype() != b.dtype() && a.dtype() != DataType::kUndefined &&
      b.dtype() != DataType::kUndefined) {
    return false;
  }
  const auto first = a.shape(), second = b.shape();
  if (!first || !second) return true;
  return std::ranges::equal(*first, *second, [](const Dim& x, const Dim& y) {
    return !x.is_static() || !y.is_static() || x.value() == y.value();
  });
}

// An input of the node that may replace one of its outputs; null: no such input.
TensorRef input_like(const Node& node, size_t output) {
  const auto& inputs = node.inputs();
  const auto fits = [&](const Tensor& input) {
    return !input.is_empty() && may_be_of_one_type(input, *node.outputs()[output]);
  };
  const size_t first = node.op() == "Loop" ? 2 : 0;  // behind the number of iterations
  if (node.has_subgraphs()) {
    const size_t carried = first + output;
    return carried < inputs.size() && fits(*inputs[carried]) ? TensorRef(inputs[carried]) : nullptr;
  }
  for (const bool constant : {false, true}) {
    for (Tensor* input : inputs) {
      if (input->is_constant() == constant && fits(*input)) return TensorRef(input);
    }
  }
  return nullptr;
}

class NodeKeeper {
 public:
  NodeKeeper(Graph& graph, const KnownValues& values, std::vector<NewArgument>* arguments)
      : graph_(graph),
        values_(values),
        arguments_(arguments),
        is_function_(dynamic_cast<graphsurgeon::Function*>(&graph) != nullptr) {}

  bool only(const std::vector<size_t>& positions) {
    remove_others(positions);
    for (const TensorRef& tensor : made_) {
      if (values_) hand_on(tensor);
      if (tensor->consumers().empty() && !is_returned(*tensor)) continue;
      if (is_function_ && make_argument(tensor)) continue;
      if (!is_function_ && (make_known(*tensor) || make_zero(*tensor))) {
        graph_.mutable_initializers().push_back(tensor);
        continue;
      }
      const TensorRef other = stand_in(tensor);
      if (!other) return false;
      replace(tensor, other);
    }
    drop_unused();
    return true;
  }

 private:
  bool is_returned(const Tensor& tensor) const {
    for (const Graph* inner : graphsurgeon::inner_graphs_first(graph_)) {
      if (std::ranges::find(inner->outputs(), &tensor, &TensorRef::get) != inner->outputs().end())
        return true;
    }
    return false;
  }

  // Returns the result of a kept node directly if removed nodes transformed it.
  void hand_on(const TensorRef& tensor) {
    auto& outputs = graph_.mutable_outputs();
    const auto place = std::ranges::find(outputs, tensor);
    if (place == outputs.end()) return;
    std::vector<TensorRef> open = {tensor};
    std::unordered_set<const Tensor*> seen;
    while (!open.empty()) {
      const TensorRef next = open.back();
      open.pop_back();
      if (!seen.insert(next.get()).second || !may_be_of_one_type(*next, *tensor)) continue;
      if (!made_here_.contains(next.get())) {
        const auto sources = sources_.find(next.get());
        if (sources != sources_.end())
          open.insert(open.end(), sources->second.begin(), sources->second.end());
      } else if (std::ranges::find(outputs, next) == outputs.end()) {
        *place = next;
        return;
      }
    }
  }

  // The recorded value. Null: not known, or a tensor that is only returned, which may have any
  // value.
  const Array* known(const Tensor& tensor) const {
    return values_ && !tensor.consumers().empty() ? values_(tensor) : nullptr;
  }

  bool make_known(Tensor& tensor) const {
    const Array* value = known(tensor);
    if (value) tensor.to_constant(*value);
    return value != nullptr;
  }

  bool make_argument(const TensorRef& tensor) {
    const Array* value = arguments_ && !is_returned(*tensor) ? known(*tensor) : nullptr;
    if (!value) return false;
    graph_.mutable_inputs().push_back(tensor);
    arguments_->push_back({std::string(tensor->name()), *value});
    return true;
  }

  void remove_others(const std::vector<size_t>& positions) {
    std::vector<bool> kept(graph_.nodes().size());
    for (const size_t position : positions) kept[position] = true;
    std::vector<NodeRef> nodes, others;
    for (size_t i = 0; i < kept.size(); ++i) {
      (kept[i] ? nodes : others).push_back(graph_.nodes()[i]);
    }
    for (const NodeRef& node : nodes) {
      for (const Tensor* output : node->outputs()) made_here_.insert(output);
    }
    for (const NodeRef& node : others) {
      for (size_t i = 0; i < node->outputs().size(); ++i) {
        TensorRef output(node->outputs()[i]);
        if (output->is_empty()) continue;
        stand_ins_[output.get()] = input_like(*node, i);
        for (Tensor* input : node->inputs()) {
          if (!input->is_empty() && may_be_of_one_type(*input, *output))
            sources_[output.get()].emplace_back(input);
        }
        made_.push_back(std::move(output));
      }
    }
    for (const NodeRef& node : others) {
      // Captures of its removed bodies become unused.
      std::vector<Graph*> inside;
      for (const auto& body : node->subgraphs()) {
        for (Graph* inner : graphsurgeon::inner_graphs_first(*body)) inside.push_back(inner);
      }
      for (Graph* inner : inside) {
        for (const NodeRef& deeper : inner->nodes()) deeper->inputs().clear();
      }
      node->inputs().clear();
      node->outputs().clear();
    }
    graph_.mutable_nodes() = std::move(nodes);
  }

  // That is still there; null: nothing is.
  TensorRef stand_in(TensorRef tensor) const {
    for (auto found = stand_ins_.find(tensor.get()); tensor && found != stand_ins_.end();
         found = stand_ins_.find(tensor.get())) {
      tensor = found->second;
    }
    return tensor;
  }

  void replace(const TensorRef& tensor, const TensorRef& other) {
    for (const NodeRef& consumer : tensor->consumers().snapshot()) {
      for (size_t i = 0; i < consumer->inputs().size(); ++i) {
        if (consumer->inputs()[i] == tensor.get()) consumer->inputs().set(i, other);
      }
    }
    for (Graph* inner : graphsurgeon::inner_graphs_first(graph_)) {
      if (inner != &graph_) std::ranges::replace(inner->mutable_outputs(), tensor, other);
    }
    const auto& outputs = graph_.outputs();
    if (std::ranges::find(outputs, tensor) == outputs.end()) return;
    // Runtimes require each output to be a separate tensor, produced in the graph.
    if (!made_here_.contains(other.get()) || std::ranges::find(outputs, other) != outputs.end()) {
      graph_.layer({.op = "Identity", .inputs = {other}, .outputs = {tensor}});
      return;
    }
    if (other->type_kind() == TypeKind::kTensor && other->dtype() == DataType::kUndefined) {
      other->set_dtype(tensor->dtype());
      other->set_shape(tensor->shape());
    }
    std::ranges::replace(graph_.mutable_outputs(), tensor, other);
  }

  void drop_unused() {
    std::unordered_set<const Tensor*> returned, gone;
    for (const Graph* inner : graphsurgeon::inner_graphs_first(graph_)) {
      for (const TensorRef& output : inner->outputs()) returned.insert(output.get());
    }
    for (const TensorRef& tensor : made_) gone.insert(tensor.get());
    const auto is_unused = [&](const TensorRef& tensor) {
      return tensor->consumers().empty() && !returned.contains(tensor.get());
    };
    std::erase_if(graph_.mutable_initializers(), is_unused);
    std::erase_if(graph_.mutable_value_infos(),
                  [&](const TensorRef& tensor) { return gone.contains(tensor.get()); });
  }

  Graph& graph_;
  const KnownValues& values_;
  std::vector<NewArgument>* const arguments_;  // null: none may be made
  const bool is_function_;
  std::vector<TensorRef> made_;                                        // by nodes that go
  std::unordered_map<const Tensor*, TensorRef> stand_ins_;             // for those
  std::unordered_map<const Tensor*, std::vector<TensorRef>> sources_;  // of their type, likewise
  std::unordered_set<const Tensor*> made_here_;                        // by nodes that stay
};

}  // namespace

bool keep_nodes(Graph& graph, const std::vector<size_t>& positions, const KnownValues& values,
                std::vector<NewArgument>* arguments) {
  return NodeKeeper(graph, values, arguments).only(positions);
}

}  // namespace polygraphy
