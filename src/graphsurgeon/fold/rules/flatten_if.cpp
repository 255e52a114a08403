// An If with a constant condition becomes its branch.

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graphsurgeon/fold/cloner.h"
#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/fold/node_operands.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"If"};

class IfFlattener {
 public:
  IfFlattener(Node& node, Graph& branch, FoldContext& context)
      : node_(node),
        branch_(branch),
        context_(context),
        suffix_("_subg_" + std::to_string(context.position()) + "_" + std::string(branch.name())) {}

  // Whether every used output of the node has a counterpart in the branch.
  bool is_possible() {
    if (!branch_.inputs().empty() || branch_.outputs().size() < node_.outputs().size())
      return false;
    for (const NodeRef& n : branch_.nodes()) {
      for (const Tensor* t : n->outputs()) local_.insert(t);
    }
    for (const TensorRef& t : branch_.initializers()) local_.insert(t.get());
    for (size_t i = 0; i < node_.outputs().size(); ++i) {
      const Tensor& inner = *branch_.outputs()[i];
      if (inner.is_empty()) return false;
      if (!local_.contains(&inner) && inner.producer() == nullptr && !find_outside(inner)) {
        return false;
      }
    }
    return true;
  }

  void run() {
    const std::vector<TensorRef> results = node_.outputs().snapshot();
    std::vector<std::string_view> names;
    for (const TensorRef& t : results) names.push_back(t->name());
    node_.outputs().clear();
    node_.inputs().clear();

    const bool is_shared = context_.is_shared(branch_);
    std::vector<NodeRef> nodes;
    std::vector<TensorRef> outputs;
    if (is_shared) {
      copy(nodes, outputs);
    } else {
      move(nodes, outputs);
    }
    for (size_t i = 0; i < results.size(); ++i) {
      if (!results[i]->is_empty()) connect(i, *outputs[i], *results[i], nodes);
    }
    Graph& graph = context_.graph();
    for (const TensorRef& t : value_infos_) graph.mutable_value_infos().push_back(t);
    context_.rewritten(node_, std::move(names));
    context_.replace_with(std::move(nodes));
  }

 private:
  // The checker rejects a branch that returns a tensor of an enclosing graph, but readers accept
  // it: the tensor is found by its name.
  bool find_outside(const Tensor& inner) {
    if (outside_.empty()) outside_ = context_.graph().tensor_map();
    const auto found = outside_.find(inner.name());
    if (found == outside_.end()) return false;
    returned_[&inner] = TensorRef(found->second);
    return true;
  }

  std::string tensor_name(std::string_view name) {
    return context_.free_tensor_name(std::string(name) + suffix_);
  }
  std::string node_name(std::string_view name) {
    if (name.empty()) return {};
    return context_.free_node_name(std::string(name));
  }

  void adopt(Tensor& constant) {
    const PayloadPtr values = constant.payload();
    context_.add_constant(constant, values);
  }

  void move(std::vector<NodeRef>& nodes, std::vector<TensorRef>& outputs) {
    nodes = branch_.nodes();
    for (const TensorRef& t : branch_.initializers()) {
      if (t->is_empty() || !t->is_constant()) continue;
      t->set_name(tensor_name(t->name()));
      adopt(*t);
    }
    for (const NodeRef& n : nodes) {
      if (const std::string name = node_name(n->name()); name != n->name()) n->set_name(name);
      for (Tensor* t : n->outputs()) {
        if (!t->is_empty()) t->set_name(tensor_name(t->name()));
      }
    }
    outputs = branch_.outputs();
    for (const TensorRef& t : branch_.value_infos()) {
      if (local_.contains(t.get())) value_infos_.push_back(t);
    }
    branch_.mutable_nodes().clear();
    branch_.mutable_initializers().clear();
    branch_.mutable_value_infos().clear();
    branch_.mutable_outputs().clear();
  }

  void copy(std::vector<NodeRef>& nodes, std::vector<TensorRef>& outputs) {
    Store& store = context_.graph().store();
    Cloner cloner(
        store, [this](std::string_view name) { return tensor_name(name); },
        [this](std::string_view name) { return node_name(name); });
    const GraphRef copied = cloner.graph(branch_);
    for (const TensorRef& t : copied->initializers()) {
      if (t->is_constant()) adopt(*t);
    }
    nodes = copied->nodes();
    outputs = copied->outputs();
    value_infos_ = copied->value_infos();
    local_.clear();
    for (const NodeRef& n : nodes) {
      for (const Tensor* t : n->outputs()) local_.insert(t);
    }
    copied->mutable_nodes().clear();
  }

  // `inner` is the branch's result, `result` the output of the If that it becomes.
  void connect(size_t i, Tensor& inner, Tensor& result, std::vector<NodeRef>& nodes) {
    Node* producer = local_.contains(&inner) ? inner.producer() : nullptr;
    if (producer == nullptr) {
      // A constant, or a tensor of a graph around: also one that was returned before.
      std::string name(node_.name().empty() ? std::string_view("If") : node_.name());
      name += "_output_" + std::to_string(i);
      NodeRef identity =
          Node::create(context_.graph().store(), "Identity", context_.free_node_name(name));
      const auto renamed = returned_.find(&inner);
      identity->inputs().append(renamed == returned_.end() ? TensorRef(&inner) : renamed->second);
      identity->outputs().append(TensorRef(&result));
      nodes.push_back(std::move(identity));
      return;
    }
    const TensorRef keep(&inner);
    for (size_t k = 0; k < producer->outputs().size(); ++k) {
      if (producer->outputs()[k] == &inner) producer->outputs().set(k, TensorRef(&result));
    }
    for (const NodeRef& consumer : inner.consumers().snapshot()) {
      for (size_t k = 0; k < consumer->inputs().size(); ++k) {
        if (consumer->inputs()[k] == &inner) consumer->inputs().set(k, TensorRef(&result));
      }
    }
    replace_in_outputs(nodes, inner, result);
    returned_[&inner] = TensorRef(&result);
  }

  // Graphs nested in the branch may return its tensors.
  static void replace_in_outputs(const std::vector<NodeRef>& nodes, Tensor& from, Tensor& to) {
    std::vector<const Node*> todo;
    for (const NodeRef& n : nodes) {
      if (n->has_subgraphs()) todo.push_back(n.get());
    }
    while (!todo.empty()) {
      const Node& node = *todo.back();
      todo.pop_back();
      for (const GraphRef& inner : node.subgraphs()) {
        for (size_t i = 0; i < inner->outputs().size(); ++i) {
          if (inner->outputs()[i].get() == &from) inner->mutable_outputs()[i] = TensorRef(&to);
        }
        for (const NodeRef& n : inner->nodes()) {
          if (n->has_subgraphs()) todo.push_back(n.get());
        }
      }
    }
  }

  Node& node_;
  Graph& branch_;
  FoldContext& context_;
  const std::string suffix_;
  std::unordered_set<const Tensor*> local_;
  std::vector<TensorRef> value_infos_;
  std::unordered_map<const Tensor*, TensorRef> returned_;  // their present stand-ins
  std::unordered_map<std::string_view, Tensor*> outside_;
};

bool apply_rule(Node& node, FoldContext& context) {
  const auto condition = small_value(node, 0, context);
  if (!condition || condition->dtype() != DataType::kBool || condition->size() != 1) return false;
  const Attribute* attribute =
      node.attribute(condition->get_int64(0) != 0 ? "then_branch" : "else_branch");
  const auto* branch = attribute ? std::get_if<GraphRef>(&attribute->value) : nullptr;
  if (branch == nullptr || !*branch) return false;
  const GraphRef keep = *branch;
  IfFlattener flattener(node, *keep, context);
  if (!flattener.is_possible()) return false;
  flattener.run();
  return true;
}

}  // namespace

extern constinit const FoldRule fold_rule_flatten_if = {
    .name = "flatten-if",
    .summary = "an If with a constant condition becomes its branch",
    .ops = kOps,
    .needs = &FoldOptions::flatten_subgraphs,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
