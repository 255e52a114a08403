#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_tester.h"

#include <algorithm>
#include <utility>

#include "base/log_modules.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_round.h"

namespace polygraphy {

using graphsurgeon::Model;
using log_modules::kReduce;

TestManager::TestManager(CheckingOptions options, const Model& base, WriteModel write, Logger& log)
    : options_(std::move(options)),
      write_(std::move(write)),
      log_(log),
      fingerprints_(base),
      judge_(options_.others, log),
      check_(options_.jobs > 1 ? nullptr : options_.make_check(log, options_.cancel)),
      loop_(for_loop(options_), log) {
  if (options_.journal) verdicts_ = options_.journal->before();
  if (check_) return;
  speculative_ = std::make_unique<SpeculativeChecks>(
      SpeculativeChecks::Options{
          .make_check = options_.make_check,
          .jobs = options_.jobs,
          .path = options_.loop.artifact,
          .write = write_,
          .cancel = options_.cancel,
          .answered = [this](const std::string& key) -> std::optional<bool> {
            const auto answer = answers_.find(key);
            return answer == answers_.end() ? std::nullopt : std::optional(answer->second);
          },
          .known = [this](const Checked& checked) { return known(checked); },
          .fails = [this](const Verdict& verdict) { return !judge_.would_pass(verdict); },
          .tries = [this] { return tries_; },
          .learned = [this](const Checked& checked,
                            const Verdict& verdict) { learn(checked, verdict); }},
      fingerprints_, log);
}

TestManager::~TestManager() = default;

LoopOptions TestManager::for_loop(const CheckingOptions& options) {
  LoopOptions loop = options.loop;
  loop.artifact_elsewhere = options.jobs > 1;
  return loop;
}

void TestManager::look_ahead(Search search) {
  if (speculative_) speculative_->set_search(std::move(search));
}

const Verdict* TestManager::known(const Checked& checked) const {
  if (!remembers()) return nullptr;
  const auto found = verdicts_.find(checked);
  return found == verdicts_.end() ? nullptr : &found->second;
}

void TestManager::learn(const Checked& checked, const Verdict& verdict) {
  if (options_.journal) options_.journal->add(checked, verdict);
}

void TestManager::make(Trial& trial, int time) {
  if (!trial.model) trial.model = trial.candidate.make();
  if (!remembers() && !speculative_) return;
  if (!trial.checked) trial.checked = {fingerprints_.of(*trial.model), time};
  trial.checked->time = time;
}

// For the check that comes next.
void TestManager::put_in_place(const Trial& trial) {
  if (speculative_) {
    speculative_->begin(*trial.checked, trial.candidate, *trial.model, log_);
  } else {
    write_(*trial.model, options_.loop.artifact, log_);
  }
}

Verdict TestManager::check(const Trial& trial) {
  ++checks_;
  Verdict verdict;
  if (check_) {
    verdict = check_->run(options_.loop.artifact);
    if (trial.checked) learn(*trial.checked, verdict);
  } else {
    verdict = speculative_->verdict(*trial.checked, log_);
    const std::vector<std::string>& kept = options_.loop.artifacts.paths;
    if (options_.loop.keep_artifact ||
        std::find(kept.begin(), kept.end(), options_.loop.artifact) != kept.end()) {
      Logger silent;
      write_(*trial.model, options_.loop.artifact, silent);
    }
  }
  if (trial.checked) verdicts_[*trial.checked] = verdict;
  return verdict;
}

Verdict TestManager::run_round(Trial& trial, int time) {
  DebugLoop::Round round(loop_, trial.candidate.remaining);
  if (const ReplayEntry* entry = round.replayed()) {
    make(trial, time);
    check_replayed(*trial.model, round.index(), *entry);
    const Verdict verdict{.passed = entry->success};
    round.end(verdict);
    return verdict;
  }
  std::optional<Verdict> of_equal;
  {
    const Logger::Indent indent(log_);
    make(trial, time);
    const Verdict* known = options_.cache || !trial.checked ? nullptr : this->known(*trial.checked);
    if (known) {
      ++cached_;
      log_.info(kReduce, "An equal model was checked before");
      of_equal = judge_.judge(*known);
    } else {
      put_in_place(trial);
    }
  }
  round.made(replay_state(*trial.model));
  const Verdict verdict = of_equal ? *of_equal : judge_.judge(check(trial));
  round.end(verdict, !of_equal);
  return verdict;
}

Verdict TestManager::verdict(Trial& trial, int time) {
  if (options_.cache) {
    make(trial, time);
    if (const Verdict* known = this->known(*trial.checked)) {
      ++cached_;
      return judge_.judge(*known);
    }
  }
  const Candidate& candidate = trial.candidate;
  if (!candidate.about.empty() && time == (candidate.again ? 1 : 0))
    log_.info(kReduce, candidate.about);
  return run_round(trial, time);
}

bool TestManager::fails(const Candidate& candidate) {
  if (const auto answer = answers_.find(candidate.key); answer != answers_.end()) {
    return answer->second;
  }
  Trial trial{candidate};
  bool fails = false;
  for (int i = 0; i < tries_ && !fails; ++i) {
    const Verdict verdict = this->verdict(trial, (candidate.again ? 1 : 0) + i);
    fails = !verdict.passed;
    if (fails && !verdict.output.empty()) outputs_[candidate.key] = verdict.output;
  }
  answers_[candidate.key] = fails;
  if (fails && options_.cache) keep_smallest(std::move(*trial.model));
  return fails;
}

std::string TestManager::failing_output(const std::string& key) const {
  const auto found = outputs_.find(key);
  return found == outputs_.end() ? std::string() : found->second;
}

void TestManager::keep_smallest(Model model) {
  const ModelSize size = model_size(model);
  if (smallest_ && size > smallest_size_) return;
  smallest_ = std::make_unique<Model>(std::move(model));
  smallest_size_ = size;
}

}  // namespace polygraphy
