#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_tester.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_round.h"

namespace polygraphy {

using graphsurgeon::Model;
using log_modules::kReduce;

CandidateTester::CandidateTester(CheckingOptions options, const Model& base, WriteModel write,
                                 Intermediates& intermediates, Intermediates* ahead, Logger& log)
    : options_(std::move(options)),
      write_(std::move(write)),
      log_(log),
      tools_{intermediates, log},
      fingerprints_(base),
      judge_(options_.others, log),
      check_(options_.jobs > 1 ? nullptr : options_.make_check(log, options_.cancel)),
      loop_(for_loop(options_), log) {
  if (ahead) tools_ahead_.emplace(*ahead, silent_);
  if (options_.journal) verdicts_ = options_.journal->before();
  if (check_) return;
  batch_ = std::make_unique<BatchChecks>(BatchChecks::Options{.make_check = options_.make_check,
                                                              .jobs = options_.jobs,
                                                              .path = options_.loop.artifact,
                                                              .write = write_,
                                                              .cancel = options_.cancel},
                                         log);
}

CandidateTester::~CandidateTester() = default;

LoopOptions CandidateTester::for_loop(const CheckingOptions& options) {
  LoopOptions loop = options.loop;
  loop.artifact_elsewhere = options.jobs > 1;
  return loop;
}

const CheckResult* CandidateTester::known(const Checked& checked) const {
  if (!remembers()) return nullptr;
  const auto found = verdicts_.find(checked);
  return found == verdicts_.end() ? nullptr : &found->second;
}

// False: that cannot be done.
bool CandidateTester::make(Trial& trial, int time) {
  if (!trial.model) {
    std::optional<Model> made = trial.candidate.make(tools_);
    if (!made) return false;
    trial.model = std::make_shared<Model>(*std::move(made));
  }
  if (!remembers() && !batch_) return true;
  if (!trial.checked) trial.checked = {fingerprints_.of(*trial.model), time};
  trial.checked->time = time;
  return true;
}

// null: that cannot be done.
std::shared_ptr<Model> CandidateTester::make_ahead(const Candidate& candidate) {
  try {
    std::optional<Model> made = candidate.make(*tools_ahead_);
    return made ? std::make_shared<Model>(*std::move(made)) : nullptr;
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    return nullptr;  // thrown again when the search reaches this candidate
  }
}

// Without a verdict yet: the tries of this candidate that follow where it passes, then those of the
// candidates after it.
Upcoming<CandidateTester::Try> CandidateTester::upcoming_tries(const Trial& trial) {
  if (!tools_ahead_) return {};
  return [this, &trial, next = Try{*trial.checked, trial.model},
          left = trial.tries_left]() mutable -> std::optional<Try> {
    while (true) {
      while (left > 0) {
        --left;
        ++next.checked.time;
        const CheckResult* verdict = known(next.checked);
        if (!verdict) return next;
        if (!verdict->passed) left = 0;
      }
      const std::optional<Candidate> candidate = take_next(trial.next);
      if (!candidate) return std::nullopt;
      next.model = make_ahead(*candidate);
      if (!next.model) continue;
      next.checked = {fingerprints_.of(*next.model), candidate->again ? 0 : -1};
      left = tries_;
    }
  };
}

// For the check that comes next.
void CandidateTester::put_in_place(const Trial& trial) {
  if (batch_) {
    batch_->begin({*trial.checked, trial.model}, log_);
  } else {
    write_(*trial.model, options_.loop.artifact, log_);
  }
}

CheckResult CandidateTester::check(const Trial& trial) {
  ++checks_;
  CheckResult verdict;
  if (check_) {
    verdict = check_->run(options_.loop.artifact);
  } else {
    verdict = batch_->verdict(*trial.checked, upcoming_tries(trial), log_);
    const std::vector<std::string>& kept = options_.loop.artifacts.paths;
    if (options_.loop.keep_artifact ||
        std::find(kept.begin(), kept.end(), options_.loop.artifact) != kept.end()) {
      Logger silent;
      write_(*trial.model, options_.loop.artifact, silent);
    }
  }
  if (trial.checked) verdicts_[*trial.checked] = verdict;
  if (options_.journal) options_.journal->add(*trial.checked, verdict);
  return verdict;
}

std::optional<CheckResult> CandidateTester::run_round(Trial& trial, int time) {
  DebugLoop::Round round(loop_, trial.candidate.remaining);
  if (const ReplayEntry* entry = round.replayed()) {
    if (!make(trial, time)) return std::nullopt;
    check_replayed(*trial.model, round.index(), *entry);
    const CheckResult verdict{.passed = entry->success};
    round.end(verdict);
    return verdict;
  }
  std::optional<CheckResult> of_equal;
  {
    const Logger::Indent indent(log_);
    if (!make(trial, time)) return std::nullopt;
    const CheckResult* known =
        options_.cache || !trial.checked ? nullptr : this->known(*trial.checked);
    if (known) {
      ++cached_;
      log_.info(kReduce, "An equal model was checked before");
      of_equal = judge_.judge(*known);
    } else {
      put_in_place(trial);
    }
  }
  round.begin(replay_state(*trial.model));
  round.made();
  const CheckResult verdict = of_equal ? *of_equal : judge_.judge(check(trial));
  round.end(verdict, !of_equal);
  return verdict;
}

// nullopt: the candidate cannot be made.
std::optional<CheckResult> CandidateTester::verdict(Trial& trial, int time) {
  if (options_.cache) {
    if (!make(trial, time)) return std::nullopt;
    if (const CheckResult* known = this->known(*trial.checked)) {
      ++cached_;
      return judge_.judge(*known);
    }
  }
  const Candidate& candidate = trial.candidate;
  if (!candidate.about.empty() && time == (candidate.again ? 1 : 0))
    log_.info(kReduce, candidate.about);
  return run_round(trial, time);
}

bool CandidateTester::answer(const Candidate& candidate, const Upcoming<Candidate>& next) {
  Trial trial{candidate, next};
  bool fails = false;
  for (int i = 0; i < tries_ && !fails; ++i) {
    options_.cancel.check();  // known verdicts run no check that would notice
    trial.tries_left = tries_ - 1 - i;
    const std::optional<CheckResult> verdict = this->verdict(trial, (candidate.again ? 1 : 0) + i);
    if (!verdict) return false;
    fails = !verdict->passed;
    if (fails) failing_output_ = verdict->output;
  }
  if (fails && options_.cache) keep_smallest(std::move(*trial.model));
  return fails;
}

void CandidateTester::keep_smallest(Model model) {
  const ModelSize size = model_size(model);
  if (smallest_ && size > smallest_size_) return;
  smallest_ = std::make_unique<Model>(std::move(model));
  smallest_size_ = size;
}

}  // namespace polygraphy
