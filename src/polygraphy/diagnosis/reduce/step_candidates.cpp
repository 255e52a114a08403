#include "polygraphy/diagnosis/reduce/step_candidates.h"

#include <string>
#include <vector>

#include "base/log_modules.h"
#include "graphsurgeon/ir/object_text.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_round.h"
#include "polygraphy/diagnosis/reduce/intermediates/describe.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::TensorRef;
using log_modules::kReduce;

void warn_of_branches(Intermediates& intermediates, Logger& log) {
  if (intermediates.several_samples()) {
    log.warning(kReduce,
                "This model has several branches, and there are several samples of input data: "
                "tensors that bypass the cut on another branch become inputs, so that each sample "
                "can have its own value.\nPlease make sure that the check feeds these inputs with "
                "their values in the whole model.",
                Once::kYes);
    return;
  }
  log.warning(
      kReduce,
      "This model includes multiple branches/paths. Tensors that bypass the cut on another branch "
      "become constants, with their values on the input data of this command.\nIf the check uses "
      "its own input data, pass the same data to this command, before --check; otherwise failures "
      "may not be found.\nThis will cause intermediate models to have static shapes.",
      Once::kYes);
}

void freeze_branches(Split& split, Intermediates& intermediates, Logger& log) {
  if (split.branches.empty()) return;
  warn_of_branches(intermediates, log);
  if (intermediates.several_samples()) return;
  // With those of the marked tensors, deeper cuts can be computed from here.
  std::vector<std::string> names = tensor_names(split.branches);
  for (std::string& name : tensor_names(split.marked)) names.push_back(std::move(name));
  const ArrayMap values = intermediates.values(names);
  bool frozen = false;
  for (const TensorRef& branch : split.branches) {
    const Array* value = values.find(std::string(branch->name()));
    if (!value) continue;
    log.info(kReduce, "Freezing tensor: " + to_text(*branch) + " to eliminate branches.");
    freeze(split.model, *branch, *value);
    frozen = true;
  }
  if (!frozen) return;
  // The other inputs must fit the values.
  for (const TensorRef& input : split.marked) {
    if (const Array* value = values.find(std::string(input->name()))) {
      describe(*input, info_of(*value));
    }
  }
}

}  // namespace

void log_marked(ReducePhase phase, const std::vector<TensorRef>& tensors, Logger& log) {
  std::string list;
  for (const TensorRef& tensor : tensors) {
    list += (list.empty() ? "" : ", ") + to_text(*tensor);
  }
  log.info(kReduce, std::string("Marking model ") +
                        (phase == ReducePhase::kOutputs ? "outputs" : "inputs") + ": [" + list +
                        "]");
}

StepCandidates::StepCandidates(const Model& base, ReducePhase phase)
    : base_(base), phase_(phase), steps_(reduction_steps(base)) {}

Split StepCandidates::split_at(int64_t step) const {
  const size_t position = steps_[static_cast<size_t>(step)];
  Split split = phase_ == ReducePhase::kOutputs ? split_after(base_, position)
                                                : split_before(base_, position);
  node_counts_[step] = node_count(split.model);
  return split;
}

int64_t StepCandidates::nodes(int64_t step) const {
  if (const auto known = node_counts_.find(step); known != node_counts_.end()) return known->second;
  return node_count(split_at(step).model);
}

Model StepCandidates::at(int64_t step, CandidateTools& tools) const {
  Split split = split_at(step);
  log_marked(phase_, split.marked, tools.log);
  freeze_branches(split, tools.intermediates, tools.log);
  describe_interface(split.model, tools.intermediates, tools.log);
  return std::move(split.model);
}

}  // namespace polygraphy
