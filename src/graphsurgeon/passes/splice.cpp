#include "graphsurgeon/passes/splice.h"

#include <unordered_set>
#include <utility>

#include "graphsurgeon/ir/nested_graphs.h"

namespace graphsurgeon {

namespace {

class Splicer {
 public:
  Splicer(Graph& main, Graph& graph, Graph& body, const Splice& how)
      : main_(main), graph_(graph), body_(body), how_(how), graphs_(inner_graphs_first(body)) {}

  std::vector<NodeRef> run(Node& node) {
    node.inputs().clear();
    node.outputs().clear();
    collect_own();
    rename();
    give_arguments();
    std::vector<NodeRef> nodes = std::move(body_.mutable_nodes());
    body_.mutable_nodes().clear();
    take_results(nodes);
    for (const TensorRef& tensor : own_constants_) {
      graph_.mutable_initializers().push_back(tensor);
    }
    for (const TensorRef& tensor : body_.value_infos()) {
      if (made_.contains(tensor.get())) graph_.mutable_value_infos().push_back(tensor);
    }
    body_.mutable_initializers().clear();
    body_.mutable_value_infos().clear();
    body_.mutable_inputs().clear();
    body_.mutable_outputs().clear();
    return nodes;
  }

 private:
  void collect_own() {
    std::unordered_set<const Tensor*> listed;
    for (const Graph* inner : graphs_) {
      for (const TensorRef& tensor : inner->initializers()) listed.insert(tensor.get());
    }
    for (const TensorRef& tensor : body_.initializers()) {
      if (tensor->is_constant() && !tensor->is_empty()) own_constants_.push_back(tensor);
    }
    // Functions have no initializers: the copy takes along tensors that their nodes read and no
    // list has.
    if (dynamic_cast<const Function*>(&body_)) {
      for (const Graph* inner : graphs_) {
        for (const NodeRef& node : inner->nodes()) {
          for (Tensor* input : node->inputs()) {
            if (input->is_constant() && listed.insert(input).second) {
              own_constants_.emplace_back(input);
            }
          }
        }
      }
    }
    for (const NodeRef& node : body_.nodes()) {
      for (const Tensor* output : node->outputs()) made_.insert(output);
    }
  }

  // Everything that belongs to the body or to a graph nested in it.
  void rename() {
    TensorNames collected;
    if (!how_.taken) collected = tensor_names(main_);
    TensorNames& taken = how_.taken ? *how_.taken : collected;
    for (const TensorRef& result : how_.results) {
      if (result) taken.emplace(result->name());
    }
    std::unordered_set<const Tensor*> renamed;
    const auto rename = [&](Tensor& tensor) {
      if (tensor.is_empty() || !renamed.insert(&tensor).second) return;
      const std::string name =
          unused_name(taken, std::string(tensor.name()) + std::string(how_.suffix));
      if (name != tensor.name()) tensor.set_name(name);
    };
    for (const TensorRef& tensor : own_constants_) rename(*tensor);
    for (const Graph* inner : graphs_) {
      if (inner != &body_) {
        for (const TensorRef& tensor : inner->inputs()) rename(*tensor);
        for (const TensorRef& tensor : inner->initializers()) rename(*tensor);
      }
      for (const NodeRef& node : inner->nodes()) {
        for (Tensor* output : node->outputs()) rename(*output);
      }
    }
  }

  // Consumers of `from` read `to`.
  void substitute(Tensor& from, const TensorRef& to) {
    if (to) {
      from.replace_in_consumers(to);
    } else {
      for (const NodeRef& consumer : from.consumers().snapshot()) {
        for (size_t i = 0; i < consumer->inputs().size(); ++i) {
          if (consumer->inputs()[i] == &from) {
            consumer->inputs().set(i, Tensor::empty(graph_.store()));
          }
        }
      }
    }
    for (Graph* inner : graphs_) {
      for (size_t i = 0; to && i < inner->outputs().size(); ++i) {
        if (inner->outputs()[i].get() == &from) inner->mutable_outputs()[i] = to;
      }
    }
  }

  void give_arguments() {
    const std::vector<TensorRef> inputs = body_.inputs();
    for (size_t i = 0; i < inputs.size(); ++i) {
      const bool given =
          i < how_.arguments.size() && how_.arguments[i] && !how_.arguments[i]->is_empty();
      substitute(*inputs[i], given ? how_.arguments[i] : nullptr);
    }
  }

  void take_results(std::vector<NodeRef>& nodes) {
    for (size_t i = 0; i < how_.results.size() && i < body_.outputs().size(); ++i) {
      const TensorRef result = how_.results[i];
      if (!result || result->is_empty()) continue;
      const TensorRef inner = body_.outputs()[i];
      Node* producer = made_.contains(inner.get()) ? inner->producer() : nullptr;
      if (producer) {
        for (size_t k = 0; k < producer->outputs().size(); ++k) {
          if (producer->outputs()[k] == inner.get()) producer->outputs().set(k, result);
        }
        // The body returns the result from now on where it returned `inner`.
        substitute(*inner, result);
        made_.erase(inner.get());
      } else {
        NodeRef identity = Node::create(graph_.store(), "Identity");
        identity->inputs().append(inner);
        identity->outputs().append(result);
        nodes.push_back(std::move(identity));
      }
    }
  }

  Graph &main_, &graph_, &body_;
  const Splice& how_;
  std::vector<Graph*> graphs_;  // the body, and those nested in it
  std::vector<TensorRef> own_constants_;
  std::unordered_set<const Tensor*> made_;
};

}  // namespace

std::vector<NodeRef> spliced_nodes(Graph& main, Graph& graph, Node& node, Graph& body,
                                   const Splice& how) {
  return Splicer(main, graph, body, how).run(node);
}

void splice(Graph& main, Graph& graph, size_t position, Graph& body, const Splice& how) {
  // First, so that names of a body of this node are free.
  const NodeRef node = graph.nodes()[position];
  graph.mutable_nodes().erase(graph.nodes().begin() + static_cast<ptrdiff_t>(position));
  const std::vector<NodeRef> nodes = spliced_nodes(main, graph, *node, body, how);
  graph.mutable_nodes().insert(graph.nodes().begin() + static_cast<ptrdiff_t>(position),
                               nodes.begin(), nodes.end());
}

}  // namespace graphsurgeon
