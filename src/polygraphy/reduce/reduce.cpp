#include "polygraphy/reduce/reduce.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/equal.h"
#include "polygraphy/reduce/candidates.h"
#include "polygraphy/reduce/log_modules.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using log_modules::kReduce;

// One search: candidates are made, checked and remembered by their size.
class Phase : public LoopSubject {
 public:
  Phase(const Model& base, ReducePhase phase, ReduceMode mode, Recordings& recordings,
        const WriteModel& write, Logger& log)
      : candidates_(base, phase, recordings, log),
        search_(mode, phase, candidates_.steps()),
        write_(write) {}

  std::optional<Verdict> make(LoopRound& round) override {
    const Model candidate = candidates_.at(search_.index());
    nodes_ = node_count(candidate);
    put_candidate(candidate, write_, round);
    return std::nullopt;
  }

  void replay(const LoopRound& round) override {
    const Model candidate = candidates_.at(search_.index());
    nodes_ = node_count(candidate);
    check_replayed(candidate, round);
  }

  bool next(const LoopRound& round) override {
    const int64_t index = search_.index();
    if (round.verdict.passed) {
      passing_[nodes_] = index;
    } else if (!failing_ || nodes_ <= failing_->first) {
      failing_ = {nodes_, index};
    }
    return search_.next(round.verdict.passed);
  }

  std::optional<int64_t> remaining() const override { return search_.remaining(); }

  bool has_steps() const { return candidates_.steps() > 0; }
  bool has_failing() const { return failing_.has_value(); }
  bool has_passing() const { return !passing_.empty(); }
  // The failing candidate with the fewest nodes.
  Model failing() const { return candidates_.at(failing_->second); }
  // The passing one that is closest to it from below, or else from above.
  Model passing() const {
    auto above = failing_ ? passing_.lower_bound(failing_->first) : passing_.end();
    if (above != passing_.begin()) above = std::prev(above);
    return candidates_.at(above->second);
  }

 private:
  Candidates candidates_;
  IndexSearch search_;
  const WriteModel& write_;
  int64_t nodes_ = 0;
  std::optional<std::pair<int64_t, int64_t>> failing_;  // nodes, index
  std::map<int64_t, int64_t> passing_;                  // nodes -> index
};

class Reducer {
 public:
  Reducer(const Model& model, const ReduceOptions& options, Recordings& recordings, DebugLoop& loop,
          const WriteModel& write, Logger& log)
      : model_(model),
        options_(options),
        recordings_(recordings),
        loop_(loop),
        write_(write),
        log_(log) {}

  Reduction run() {
    if (options_.outputs) search(ReducePhase::kOutputs, "outputs");
    if (options_.inputs && !result_.interrupted) search(ReducePhase::kInputs, "inputs");
    if (!result_.bad && !result_.interrupted) check_unreduced();
    if (result_.good && result_.bad && structurally_equal(*result_.good, *result_.bad)) {
      result_.good.reset();
    }
    return std::move(result_);
  }

 private:
  // The smallest failing model so far.
  const Model& base() const { return result_.bad ? *result_.bad : model_; }

  void search(ReducePhase which, const std::string& what) {
    Phase phase(base(), which, options_.mode, recordings_, write_, log_);
    if (!phase.has_steps()) return;
    log_.start(kReduce, "Reducing model " + what);
    try {
      loop_.run(phase, "_" + what);
    } catch (const Interrupted&) {
      result_.interrupted = true;
    }
    log_.finish(kReduce, "Finished reducing model " + what);
    std::unique_ptr<Model> bad;
    if (phase.has_failing()) {
      bad = std::make_unique<Model>(phase.failing());
    } else {
      log_marked(which,
                 which == ReducePhase::kOutputs ? base().graph->outputs() : base().graph->inputs(),
                 log_);
    }
    if (options_.want_good && phase.has_passing()) {
      result_.good = std::make_unique<Model>(phase.passing());
    }
    if (bad) result_.bad = std::move(bad);
  }

  void check_unreduced() {
    log_.start(kReduce, "Checking the unreduced model, since no smaller one failed");
    OneModel subject(model_, write_);
    LoopSummary summary;
    try {
      summary = loop_.run(subject, "_unreduced");
    } catch (const Interrupted&) {
      result_.interrupted = true;
      return;
    }
    if (summary.passed == 0) result_.bad = std::make_unique<Model>(graphsurgeon::copy(model_));
  }

  const Model& model_;
  const ReduceOptions& options_;
  Recordings& recordings_;
  DebugLoop& loop_;
  const WriteModel& write_;
  Logger& log_;
  Reduction result_;
};

}  // namespace

Reduction reduce_model(const Model& model, const ReduceOptions& options, Recordings& recordings,
                       DebugLoop& loop, const WriteModel& write, Logger& log) {
  return Reducer(model, options, recordings, loop, write, log).run();
}

}  // namespace polygraphy
