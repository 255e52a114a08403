#include "graphsurgeon/pattern/pattern_search.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace graphsurgeon {

using Reach = PatternPlan::Reach;

PatternSearch::PatternSearch(const PatternPlan& plan, const PatternIndex& index)
    : plan_(plan),
      index_(index),
      nodes_(plan.nodes().size()),
      tensors_(plan.tensors().size()),
      frames_(plan.steps().size()) {}

std::vector<PatternMapping> PatternSearch::run() {
  std::vector<PatternMapping> found;
  if (hopeless()) return found;
  for (Node* start : index_.nodes(*plan_.nodes()[plan_.steps()[0].node].op)) {
    if (match_from(*start)) found.push_back(mapping(0));
    unbind_to(0);
    std::fill(nodes_.begin(), nodes_.end(), nullptr);
  }
  return found;
}

// The graph has fewer nodes of some operator than the pattern.
bool PatternSearch::hopeless() const {
  std::unordered_map<std::string_view, size_t> wanted;
  for (const auto& node : plan_.nodes()) ++wanted[*node.op];
  return std::any_of(wanted.begin(), wanted.end(), [&](const auto& entry) {
    return index_.nodes(entry.first).size() < entry.second;
  });
}

bool PatternSearch::match_from(Node& start) {
  if (!bind(plan_.steps()[0].node, start)) return false;
  const size_t num_steps = plan_.steps().size();
  if (num_steps == 1) return true;
  size_t step = 1;
  begin(step);
  while (true) {
    if (!advance(step)) {
      if (--step == 0) return false;
    } else if (++step == num_steps) {
      return true;
    } else {
      begin(step);
    }
  }
}

void PatternSearch::begin(size_t step) {
  const auto& [node, via, reach] = plan_.steps()[step];
  const Tensor& tensor = *tensors_[via];
  const NodeUses& uses = reach == Reach::kProducer ? tensor.producers() : tensor.consumers();
  frames_[step] = {uses.begin(), trail_.size()};
}

// Binds the next node that will do in this step instead of the last one.
bool PatternSearch::advance(size_t step) {
  Frame& frame = frames_[step];
  const int n = plan_.steps()[step].node;
  nodes_[n] = nullptr;
  unbind_to(frame.bound_tensors);
  while (frame.next != NodeUses::const_iterator()) {
    if (bind(n, **frame.next++)) return true;
    unbind_to(frame.bound_tensors);
  }
  return false;
}

bool PatternSearch::bind(int n, Node& node) {
  const PatternPlan::FlatNode& wanted = plan_.nodes()[n];
  if (node.op() != *wanted.op || node.inputs().size() != wanted.inputs.size() ||
      node.outputs().size() != wanted.outputs.size()) {
    return false;
  }
  // Consumers may stand in nested graphs, producers in an enclosing one.
  if (std::find(nodes_.begin(), nodes_.end(), &node) != nodes_.end() || !index_.contains(node)) {
    return false;
  }
  if (!bind(wanted.inputs, node.inputs()) || !bind(wanted.outputs, node.outputs())) return false;
  if (*wanted.check && !(*wanted.check)(node)) return false;
  nodes_[n] = &node;
  return true;
}

// On failure, the caller removes its bindings.
bool PatternSearch::bind(const std::vector<int>& slots, const TensorList& tensors) {
  for (size_t i = 0; i < slots.size(); ++i) {
    Tensor*& bound = tensors_[slots[i]];
    if (bound == tensors[i]) continue;
    if (bound || !may_be(plan_.tensors()[slots[i]], *tensors[i])) return false;
    bound = tensors[i];
    trail_.push_back(slots[i]);
  }
  return true;
}

bool PatternSearch::may_be(const PatternPlan::FlatTensor& wanted, Tensor& tensor) const {
  if (wanted.must_be_constant && !tensor.is_constant()) return false;
  if (wanted.produced && tensor.producers().size() != 1) return false;
  if (!wanted.internal) return true;
  if (index_.is_output(tensor)) return false;
  // Each consuming node of the pattern is bound to a different consumer. So equal numbers mean that
  // no consumer is outside. Counts nodes, because one may use the tensor in a slot that is an input
  // of the pattern, too.
  std::vector<const Node*> consumers;
  for (const Node* node : tensor.consumers()) {
    if (std::find(consumers.begin(), consumers.end(), node) != consumers.end()) continue;
    if (consumers.size() == wanted.num_consumers) return false;
    consumers.push_back(node);
  }
  return consumers.size() == wanted.num_consumers;
}

void PatternSearch::unbind_to(size_t bound_tensors) {
  for (; trail_.size() > bound_tensors; trail_.pop_back()) tensors_[trail_.back()] = nullptr;
}

PatternMapping PatternSearch::mapping(int index) const {
  const PatternPlan::Scope& scope = plan_.scope(index);
  PatternMapping result;
  const auto tensor = [&](int local) { return TensorRef(tensors_[scope.tensors[local]]); };
  for (const int m : scope.order) {
    PatternMapping::Member member;
    member.name = scope.pattern->members_[m].name;
    if (scope.nodes[m] >= 0) {
      member.node = NodeRef(nodes_[scope.nodes[m]]);
    } else {
      member.sub = mapping(scope.scopes[m]);
    }
    result.members_.push_back(std::move(member));
  }
  for (const int variable : scope.pattern->variables_) result.inputs_.push_back(tensor(variable));
  for (const int output : scope.pattern->outputs_) result.outputs_.push_back(tensor(output));
  for (const auto& constant : scope.pattern->constants_) {
    result.constants_.emplace_back(constant.name, tensor(constant.tensor));
  }
  return result;
}

}  // namespace graphsurgeon
