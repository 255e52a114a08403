#include "graphsurgeon/pattern/graph_pattern.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "graphsurgeon/pattern/pattern_plan.h"
#include "graphsurgeon/pattern/pattern_search.h"

namespace graphsurgeon {

using polygraphy::Error;

PatternTensor PatternOutputs::operator[](size_t i) const {
  if (i < tensors_.size()) return tensors_[i];
  throw Error("node '" + node_ + "' of the pattern has " + std::to_string(tensors_.size()) +
              " outputs, but no output " + std::to_string(i));
}

PatternOutputs::operator PatternTensor() const {
  if (tensors_.size() == 1) return tensors_[0];
  throw Error("node '" + node_ + "' of the pattern has " + std::to_string(tensors_.size()) +
                  " outputs, but one tensor is needed",
              tensors_.empty() ? "" : "Choose one: outputs[0].");
}

PatternTensor GraphPattern::variable() {
  variables_.push_back(num_tensors_);
  return {num_tensors_++};
}

PatternTensor GraphPattern::constant(std::string_view name) {
  for (const NamedConstant& known : constants_) {
    if (known.name == name) return {known.tensor};
  }
  constants_.push_back(
      {name.empty() ? "unnamed_constant_tensor_" + std::to_string(num_tensors_) : std::string(name),
       num_tensors_});
  return {num_tensors_++};
}

int GraphPattern::check_tensor(PatternTensor tensor, const std::string& what) const {
  if (tensor.id >= 0 && tensor.id < num_tensors_) return tensor.id;
  throw Error(what + " is tensor " + std::to_string(tensor.id) + ", but the pattern has " +
                  std::to_string(num_tensors_) + " tensors",
              "Use tensors returned by variable(), constant() and add() of this pattern.");
}

PatternOutputs GraphPattern::add_member(Member member, const std::vector<PatternTensor>& inputs,
                                        size_t num_outputs) {
  if (std::any_of(members_.begin(), members_.end(),
                  [&](const Member& other) { return other.name == member.name; })) {
    throw Error("the pattern already has a node '" + member.name + "'");
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    member.inputs.push_back(check_tensor(
        inputs[i], "input " + std::to_string(i) + " of node '" + member.name + "' of the pattern"));
  }
  PatternOutputs result;
  result.node_ = member.name;
  for (size_t i = 0; i < num_outputs; ++i) {
    result.tensors_.push_back({num_tensors_});
    member.outputs.push_back(num_tensors_++);
  }
  members_.push_back(std::move(member));
  return result;
}

PatternOutputs GraphPattern::add(std::string_view name, std::string_view op,
                                 const std::vector<PatternTensor>& inputs, size_t num_outputs,
                                 NodeCheck check) {
  if (op.empty()) {
    throw Error("node '" + std::string(name) + "' of the pattern has an empty operator");
  }
  Member member;
  member.name = name;
  member.op = op;
  member.check = std::move(check);
  return add_member(std::move(member), inputs, num_outputs);
}

PatternOutputs GraphPattern::add(std::string_view name, const GraphPattern& pattern,
                                 const std::vector<PatternTensor>& inputs) {
  if (inputs.size() != pattern.variables_.size()) {
    throw Error("pattern '" + std::string(name) + "' has " +
                std::to_string(pattern.variables_.size()) + " variables, but received " +
                std::to_string(inputs.size()) + " inputs");
  }
  if (pattern.members_.empty()) throw Error("pattern '" + std::string(name) + "' has no nodes");
  Member member;
  member.name = name;
  member.pattern.push_back(pattern);
  return add_member(std::move(member), inputs, pattern.outputs_.size());
}

void GraphPattern::set_output_tensors(const std::vector<PatternTensor>& tensors) {
  std::vector<int> outputs;
  outputs.reserve(tensors.size());
  for (const PatternTensor tensor : tensors) {
    outputs.push_back(
        check_tensor(tensor, "output " + std::to_string(outputs.size()) + " of the pattern"));
  }
  outputs_ = std::move(outputs);
}

std::vector<PatternMapping> GraphPattern::match_all(const Graph& graph) const {
  return match_all(PatternIndex(graph));
}

std::vector<PatternMapping> GraphPattern::match_all(const PatternIndex& index) const {
  const PatternPlan plan(*this);
  return PatternSearch(plan, index).run();
}

}  // namespace graphsurgeon
