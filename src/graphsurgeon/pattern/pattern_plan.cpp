#include "graphsurgeon/pattern/pattern_plan.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace graphsurgeon {

using polygraphy::Error;

namespace {

size_t first_slot(const std::vector<int>& tensors, int tensor) {
  return std::find(tensors.begin(), tensors.end(), tensor) - tensors.begin();
}

}  // namespace

PatternPlan::PatternPlan(const GraphPattern& pattern) {
  if (pattern.variables_.empty()) {
    throw Error("the pattern has no variable to start from",
                "Declare its inputs with variable(), and give the first to a node.");
  }
  std::vector<int> variables;
  variables.reserve(pattern.variables_.size());
  for (size_t i = 0; i < pattern.variables_.size(); ++i) {
    variables.push_back(add_tensor({.internal = false}));
  }
  flatten(pattern, std::move(variables));
  for (const int output : pattern.outputs_) tensors_[scopes_[0].tensors[output]].internal = false;
  count_consumers();
  taken_.resize(nodes_.size());
  known_.resize(tensors_.size());
  if (!reach_within(0, 0, Reach::kStart)) {
    throw Error("no operator of the pattern consumes its first variable",
                "Matching starts at the first variable: use it, or declare another one first.");
  }
  reach_the_rest();
}

int PatternPlan::add_tensor(FlatTensor tensor) {
  tensors_.push_back(tensor);
  return static_cast<int>(tensors_.size()) - 1;
}

int PatternPlan::flatten(const GraphPattern& pattern, std::vector<int> variables) {
  const int index = static_cast<int>(scopes_.size());
  scopes_.emplace_back();
  Scope scope;
  scope.pattern = &pattern;
  scope.tensors.resize(pattern.num_tensors_, -1);
  scope.producers.resize(pattern.num_tensors_, -1);
  scope.consumers.resize(pattern.num_tensors_);
  scope.reached.resize(pattern.members_.size());
  for (size_t i = 0; i < variables.size(); ++i) scope.tensors[pattern.variables_[i]] = variables[i];
  for (const GraphPattern::NamedConstant& constant : pattern.constants_) {
    scope.tensors[constant.tensor] = add_tensor({.must_be_constant = true, .internal = false});
  }
  // A member's inputs are outputs of members before it.
  for (int m = 0; m < static_cast<int>(pattern.members_.size()); ++m) {
    const GraphPattern::Member& member = pattern.members_[m];
    std::vector<int> inputs;
    for (const int input : member.inputs) {
      inputs.push_back(scope.tensors[input]);
      std::vector<int>& consumers = scope.consumers[input];
      if (consumers.empty() || consumers.back() != m) consumers.push_back(m);
    }
    for (const int output : member.outputs) scope.producers[output] = m;
    if (member.pattern.empty()) {
      scope.scopes.push_back(-1);
      scope.nodes.push_back(static_cast<int>(nodes_.size()));
      FlatNode node{&member.op, &member.check, std::move(inputs), {}};
      for (const int output : member.outputs) {
        node.outputs.push_back(scope.tensors[output] = add_tensor({.produced = true}));
      }
      nodes_.push_back(std::move(node));
    } else {
      scope.nodes.push_back(-1);
      const int inner = flatten(member.pattern[0], std::move(inputs));
      scope.scopes.push_back(inner);
      for (size_t i = 0; i < member.outputs.size(); ++i) {
        scope.tensors[member.outputs[i]] = scopes_[inner].tensors[member.pattern[0].outputs_[i]];
      }
    }
  }
  scopes_[index] = std::move(scope);
  return index;
}

void PatternPlan::count_consumers() {
  std::vector<int> last(tensors_.size(), -1);
  for (int n = 0; n < static_cast<int>(nodes_.size()); ++n) {
    for (const int tensor : nodes_[n].inputs) {
      if (std::exchange(last[tensor], n) != n) ++tensors_[tensor].num_consumers;
    }
  }
}

void PatternPlan::take(Step step) {
  steps_.push_back(step);
  taken_[step.node] = true;
  for (const int tensor : nodes_[step.node].inputs) known_[tensor] = true;
  for (const int tensor : nodes_[step.node].outputs) known_[tensor] = true;
}

// `tensor`: the one of the scope by which the member is reached. False when it cannot be.
bool PatternPlan::reach(Place place, int tensor, Reach how) {
  Scope& scope = scopes_[place.scope];
  if (scope.reached[place.member]) return true;
  const GraphPattern::Member& member = scope.pattern->members_[place.member];
  // Not known: of a pattern that hangs together from outside only, and is not matched whole yet.
  const int via = how == Reach::kStart ? -1 : scope.tensors[tensor];
  if (via >= 0 && !known_[via]) return false;
  if (scope.nodes[place.member] >= 0) {
    take({scope.nodes[place.member], via, how});
  } else {
    const auto& side = how == Reach::kProducer ? member.outputs : member.inputs;
    if (!reach_within(scope.scopes[place.member], first_slot(side, tensor), how)) return false;
  }
  scope.reached[place.member] = true;
  scope.order.push_back(place.member);
  reach_around(place);
  return true;
}

// From outside through a variable or an output tensor of a pattern.
bool PatternPlan::reach_within(int scope, size_t slot, Reach how) {
  const Scope& here = scopes_[scope];
  if (how == Reach::kProducer) {
    const int tensor = here.pattern->outputs_[slot];
    const int producer = here.producers[tensor];
    return producer >= 0 && reach({scope, producer}, tensor, how);
  }
  const int tensor = here.pattern->variables_[slot];
  for (const int consumer : here.consumers[tensor]) {
    if (!reach({scope, consumer}, tensor, how)) continue;
    reach_consumers(scope, tensor);
    return true;
  }
  return false;
}

void PatternPlan::reach_around(Place place) {
  const Scope& scope = scopes_[place.scope];
  const GraphPattern::Member& member = scope.pattern->members_[place.member];
  for (const int tensor : member.inputs) {
    const int producer = scope.producers[tensor];
    if (producer >= 0) reach({place.scope, producer}, tensor, Reach::kProducer);
  }
  // The original looks at consumers of an output of the pattern last, if at all.
  const std::vector<int>& last = scope.pattern->outputs_;
  for (const int tensor : member.outputs) {
    if (std::find(last.begin(), last.end(), tensor) == last.end()) {
      reach_consumers(place.scope, tensor);
    }
  }
}

void PatternPlan::reach_consumers(int scope, int tensor) {
  for (const int consumer : scopes_[scope].consumers[tensor]) {
    reach({scope, consumer}, tensor, Reach::kConsumer);
  }
}

// Adds nodes that are connected to the others by a further variable or a constant alone.
void PatternPlan::reach_the_rest() {
  for (bool found = true; found;) {
    found = false;
    for (int n = 0; n < static_cast<int>(nodes_.size()); ++n) {
      if (taken_[n]) continue;
      const auto known = [&](int tensor) { return known_[tensor]; };
      const auto& [op, check, inputs, outputs] = nodes_[n];
      if (auto out = std::find_if(outputs.begin(), outputs.end(), known); out != outputs.end()) {
        take({n, *out, Reach::kProducer});
      } else if (auto in = std::find_if(inputs.begin(), inputs.end(), known); in != inputs.end()) {
        take({n, *in, Reach::kConsumer});
      } else {
        continue;
      }
      found = true;
    }
  }
  for (Scope& scope : scopes_) {
    for (int m = 0; m < static_cast<int>(scope.reached.size()); ++m) {
      if (scope.reached[m]) continue;
      if (const int n = scope.nodes[m]; n >= 0 && !taken_[n]) {
        throw Error(
            "the pattern is not connected: no tensor leads from its first variable to node '" +
                scope.pattern->members_[m].name + "'",
            "Match the parts as separate patterns.");
      }
      scope.order.push_back(m);
    }
  }
}

}  // namespace graphsurgeon
