#include "polygraphy/diagnosis/reduce/classic_reduce.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/equal.h"
#include "graphsurgeon/ir/object_text.h"
#include "graphsurgeon/ir/tensor_names.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_round.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/interestingness.h"
#include "polygraphy/diagnosis/reduce/intermediates/describe.h"
#include "polygraphy/models/candidates/prune_unused.h"
#include "polygraphy/models/candidates/split_at.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::TensorRef;
using log_modules::kReduce;

// The models that `debug reduce` has checked: cuts of one model, completed so that they can run.
class StepCandidates {
 public:
  // `base`: in the second phase without unused nodes, because nothing lies behind such a node. It
  // must outlive this.
  StepCandidates(const Model& base, ReducePhase phase);

  int64_t steps() const { return static_cast<int64_t>(steps_.size()); }
  // The candidate that is cut at a step; logs marked and frozen tensors.
  Model at(int64_t step, CandidateTools& tools) const;
  // How many nodes it has. O(log steps) for one that is known or has been made.
  int64_t nodes(int64_t step) const;

 private:
  Split split_at(int64_t step) const;

  const Model& base_;
  ReducePhase phase_;
  std::vector<size_t> steps_;
  mutable std::map<int64_t, int64_t> node_counts_;  // by step
};

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

// "Marking model outputs: [Variable (y): (shape=[1, 4], dtype=float32)]".
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

// The result of one search: steps of its candidates.
struct Found {
  std::optional<int64_t> failing;  // the one with the fewest nodes
  // The passing one that is closest to it from below, or else from above.
  std::optional<int64_t> passing;
};

class PhaseSearch {
 public:
  // `passes_rather`: the likelier verdict on a candidate.
  PhaseSearch(const StepCandidates& candidates, MarkerOrder order, ReducePhase phase,
              bool passes_rather)
      : candidates_(candidates),
        passes_rather_(passes_rather),
        search_(order, phase, candidates.steps()) {}

  // Throws what the test throws; earlier results stay.
  void run(InterestingnessTest& test) {
    const auto candidate = [this](int64_t step) -> Candidate {
      return {.about = {},
              .make = [this, step](CandidateTools& tools) { return candidates_.at(step, tools); }};
    };
    bool goes_on = true;
    while (goes_on) {
      const int64_t step = search_.index();
      Candidate asked = candidate(step);
      asked.remaining = search_.remaining();
      const bool fails = test.fails(
          asked, made_of<Candidate, int64_t>(search_.upcoming(passes_rather_), candidate));
      (fails ? failing_ : passing_).push_back(step);
      goes_on = search_.next(!fails);
    }
  }

  // Of equal steps, the one that was tested last.
  Found found(bool want_passing) const {
    Found found;
    int64_t least = 0;
    for (const int64_t step : failing_) {
      const int64_t nodes = candidates_.nodes(step);
      if (found.failing && nodes > least) continue;
      least = nodes;
      found.failing = step;
    }
    if (!want_passing || passing_.empty()) return found;
    std::map<int64_t, int64_t> passing;  // nodes -> step
    for (const int64_t step : passing_) passing[candidates_.nodes(step)] = step;
    auto above = found.failing ? passing.lower_bound(least) : passing.end();
    if (above != passing.begin()) above = std::prev(above);
    found.passing = above->second;
    return found;
  }

 private:
  const StepCandidates& candidates_;
  bool passes_rather_;
  MarkerSearch search_;
  std::vector<int64_t> failing_, passing_;  // steps, in the order of the questions
};

class ClassicReducer {
 public:
  ClassicReducer(const Model& model, const ClassicOptions& options, Intermediates& intermediates,
                 CandidateTester& test, Logger& log)
      : model_(model), options_(options), tools_{intermediates, log}, test_(test), log_(log) {}

  Reduction run() {
    if (options_.outputs) search(ReducePhase::kOutputs);
    if (options_.inputs && !result_.interrupted) search(ReducePhase::kInputs);
    if (!result_.bad && !result_.interrupted) check_unreduced();
    if (result_.good && result_.bad && structurally_equal(*result_.good, *result_.bad)) {
      result_.good.reset();
    }
    return std::move(result_);
  }

 private:
  void search(ReducePhase which) {
    const std::string what = which == ReducePhase::kOutputs ? "outputs" : "inputs";
    // The smallest failing model so far.
    const Model& base = result_.bad ? *result_.bad : model_;
    const bool whole = !result_.bad && which == ReducePhase::kInputs;
    const StepCandidates candidates(whole ? needed_by_outputs() : base, which);
    if (candidates.steps() == 0) return;
    log_.start(kReduce, "Reducing model " + what);
    // The last node is at fault, so that cutting others off before it hardly helps; if it does not
    // fail either, nothing will.
    const bool passes_rather = which == ReducePhase::kOutputs || (options_.outputs && !result_.bad);
    PhaseSearch search(candidates, options_.order, which, passes_rather);
    test_.begin("_" + what);
    try {
      search.run(test_);
      test_.end();
    } catch (const Interrupted&) {
      result_.interrupted = true;
    }
    log_.finish(kReduce, "Finished reducing model " + what);
    const Found found = search.found(options_.want_good);
    std::unique_ptr<Model> bad;
    if (found.failing) {
      bad = std::make_unique<Model>(candidates.at(*found.failing, tools_));
    } else {
      log_marked(which,
                 which == ReducePhase::kOutputs ? base.graph->outputs() : base.graph->inputs(),
                 log_);
    }
    if (options_.want_good && found.passing) {
      result_.good = std::make_unique<Model>(candidates.at(*found.passing, tools_));
    }
    if (bad) result_.bad = std::move(bad);
  }

  // The model without the rest, which what has been cut has lost already.
  const Model& needed_by_outputs() {
    if (!needed_) {
      needed_ = std::make_unique<Model>(graphsurgeon::copy(model_));
      prune_unused(*needed_);
    }
    return *needed_;
  }

  void check_unreduced() {
    log_.start(kReduce, "Checking the unreduced model, since no smaller one failed");
    const auto copy = [this](CandidateTools&) { return graphsurgeon::copy(model_); };
    test_.begin("_unreduced");
    try {
      const bool fails = test_.fails({.about = {}, .make = copy});
      test_.end();
      if (fails) result_.bad = std::make_unique<Model>(copy(tools_));
    } catch (const Interrupted&) {
      result_.interrupted = true;
    }
  }

  const Model& model_;
  const ClassicOptions& options_;
  CandidateTools tools_;
  CandidateTester& test_;
  Logger& log_;
  Reduction result_;
  std::unique_ptr<Model> needed_;  // null: not made yet
};

}  // namespace

Reduction classic_reduce(const Model& model, const ClassicOptions& options,
                         Intermediates& intermediates, CandidateTester& test, Logger& log) {
  return ClassicReducer(model, options, intermediates, test, log).run();
}

}  // namespace polygraphy
