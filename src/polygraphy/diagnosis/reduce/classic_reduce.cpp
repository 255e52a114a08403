#include "polygraphy/diagnosis/reduce/classic_reduce.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log_modules.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/equal.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"
#include "polygraphy/diagnosis/reduce/step_candidates.h"
#include "polygraphy/models/candidates/prune_unused.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using log_modules::kReduce;

// What one search has found: steps of its candidates.
struct Found {
  std::optional<int64_t> failing;  // the one with the fewest nodes
  // The passing one that is closest to it from below, or else from above.
  std::optional<int64_t> passing;
};

class PhaseSearch {
 public:
  // `key` begins the keys of its questions.
  PhaseSearch(const StepCandidates& candidates, MarkerOrder order, ReducePhase phase,
              std::string key)
      : candidates_(candidates), search_(order, phase, candidates.steps()), key_(std::move(key)) {}

  // Throws what the test throws; what was found until then stays.
  void run(InterestingnessTest& test) {
    bool goes_on = true;
    while (goes_on) {
      const int64_t step = search_.index();
      const bool fails = test.fails({.key = key_ + std::to_string(step),
                                     .about = {},
                                     .make = [&] { return candidates_.at(step); },
                                     .remaining = search_.remaining()});
      (fails ? failing_ : passing_).push_back(step);
      goes_on = search_.next(!fails);
    }
  }

  // Of equal ones the one that was asked last.
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
  MarkerSearch search_;
  std::string key_;
  std::vector<int64_t> failing_, passing_;  // steps, in the order of the questions
};

class ClassicReducer {
 public:
  ClassicReducer(const Model& model, const ClassicOptions& options, Intermediates& intermediates,
                 Intermediates* ahead, TestManager& test, Logger& log)
      : model_(model),
        options_(options),
        intermediates_(intermediates),
        ahead_(ahead),
        test_(test),
        log_(log) {}

  Reduction run() {
    State state;
    SearchTools tools{test_, intermediates_, log_};
    if (options_.outputs) stage(state, Stage::kOutputs, tools);
    if (options_.inputs && !state.result.interrupted) stage(state, Stage::kInputs, tools);
    if (!state.result.bad && !state.result.interrupted) stage(state, Stage::kUnreduced, tools);
    test_.look_ahead({});
    Reduction& result = state.result;
    if (result.good && result.bad && structurally_equal(*result.good, *result.bad)) {
      result.good.reset();
    }
    return std::move(result);
  }

 private:
  enum class Stage { kOutputs, kInputs, kUnreduced };
  struct State {
    Reduction result;
    std::string trail;  // tells what has been found from other things that might have been
  };

  void stage(State& state, Stage which, SearchTools& tools) {
    if (ahead_ && test_.looks_ahead()) {
      test_.look_ahead(
          [this, which, &state](InterestingnessTest& test) { run_ahead(state, which, test); });
    }
    if (which == Stage::kUnreduced) {
      check_unreduced(state, tools);
    } else {
      search(state, which == Stage::kOutputs ? ReducePhase::kOutputs : ReducePhase::kInputs, tools);
    }
  }

  // The rest of run(), from a stage on, as it might go.
  void run_ahead(const State& from, Stage which, InterestingnessTest& test) {
    Logger silent;
    SearchTools tools{test, *ahead_, silent};
    State state;
    if (from.result.bad) {
      state.result.bad = std::make_unique<Model>(graphsurgeon::copy(*from.result.bad));
    }
    state.trail = from.trail;
    if (which == Stage::kOutputs) search(state, ReducePhase::kOutputs, tools);
    if (which != Stage::kUnreduced && options_.inputs) search(state, ReducePhase::kInputs, tools);
    if (!state.result.bad) check_unreduced(state, tools);
  }

  void search(State& state, ReducePhase which, SearchTools& tools) {
    Reduction& result = state.result;
    const std::string what = which == ReducePhase::kOutputs ? "outputs" : "inputs";
    // The smallest failing model so far.
    const Model& base = result.bad ? *result.bad : model_;
    const std::string key = what + state.trail;
    const bool whole = !result.bad && which == ReducePhase::kInputs;
    const StepCandidates candidates(whole ? needed_by_outputs() : base, which, counts_[key],
                                    tools.intermediates, tools.log);
    if (candidates.steps() == 0) return;
    tools.log.start(kReduce, "Reducing model " + what);
    PhaseSearch search(candidates, options_.order, which, key + " ");
    tools.test.begin("_" + what);
    try {
      search.run(tools.test);
      tools.test.end();
    } catch (const Interrupted&) {
      result.interrupted = true;
    }
    tools.log.finish(kReduce, "Finished reducing model " + what);
    const Found found = search.found(options_.want_good);
    std::unique_ptr<Model> bad;
    if (found.failing) {
      bad = std::make_unique<Model>(candidates.at(*found.failing));
      state.trail += "/" + what + std::to_string(*found.failing);
    } else {
      log_marked(which,
                 which == ReducePhase::kOutputs ? base.graph->outputs() : base.graph->inputs(),
                 tools.log);
    }
    if (options_.want_good && found.passing) {
      result.good = std::make_unique<Model>(candidates.at(*found.passing));
    }
    if (bad) result.bad = std::move(bad);
  }

  // The model without the rest, which what has been cut has lost already.
  const Model& needed_by_outputs() {
    if (!needed_) {
      needed_ = std::make_unique<Model>(graphsurgeon::copy(model_));
      prune_unused(*needed_);
    }
    return *needed_;
  }

  void check_unreduced(State& state, SearchTools& tools) {
    tools.log.start(kReduce, "Checking the unreduced model, since no smaller one failed");
    const auto copy = [this] { return graphsurgeon::copy(model_); };
    tools.test.begin("_unreduced");
    try {
      const bool fails =
          tools.test.fails({.key = "unreduced", .about = {}, .make = copy, .likely = true});
      tools.test.end();
      if (fails) state.result.bad = std::make_unique<Model>(copy());
    } catch (const Interrupted&) {
      state.result.interrupted = true;
    }
  }

  const Model& model_;
  const ClassicOptions& options_;
  Intermediates& intermediates_;
  Intermediates* ahead_;
  TestManager& test_;
  Logger& log_;
  std::map<std::string, NodeCounts> counts_;  // by phase and trail
  std::unique_ptr<Model> needed_;             // null: not asked for yet
};

}  // namespace

Reduction classic_reduce(const Model& model, const ClassicOptions& options,
                         Intermediates& intermediates, Intermediates* ahead, TestManager& test,
                         Logger& log) {
  return ClassicReducer(model, options, intermediates, ahead, test, log).run();
}

}  // namespace polygraphy
