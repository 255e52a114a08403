#include "polygraphy/reduce/oracle/loop_oracle.h"

#include <algorithm>
#include <utility>

#include "base/log_modules.h"

namespace polygraphy {

using graphsurgeon::Model;
using log_modules::kReduce;

// What the loop runs: our answer, and whether it counts.
class LoopOracle::Asking : public Check {
 public:
  explicit Asking(LoopOracle& oracle) : oracle_(oracle) {}
  Verdict run(const std::string&) override { return oracle_.judge_.judge(oracle_.ask()); }

 private:
  LoopOracle& oracle_;
};

// One round on one candidate, which is made in the round unless it is there.
class LoopOracle::Round : public LoopSubject {
 public:
  Round(LoopOracle& oracle, const Question& question, std::optional<Model>& candidate, int time)
      : oracle_(oracle), question_(question), candidate_(candidate), time_(time) {}

  std::optional<Verdict> make(LoopRound& round) override {
    make_candidate(round);
    if (oracle_.options_.journal && !oracle_.options_.cache) {
      if (const Verdict* known = oracle_.known(*oracle_.checked_)) {
        ++oracle_.cached_;
        oracle_.log_.info(kReduce, "An equal model has been checked before");
        return oracle_.judge_.judge(*known);
      }
    }
    if (oracle_.side_by_side_) {
      oracle_.side_by_side_->begin(*oracle_.checked_, question_, *candidate_, oracle_.log_);
    } else {
      oracle_.write_(*candidate_, oracle_.options_.loop.artifact, oracle_.log_);
    }
    return std::nullopt;
  }
  void replay(const LoopRound& round) override {
    LoopRound same = round;
    make_candidate(same);
    check_replayed(*candidate_, round);
  }
  bool next(const LoopRound&) override { return false; }
  std::optional<int64_t> remaining() const override { return question_.remaining; }

 private:
  void make_candidate(LoopRound& round) {
    if (!candidate_) {
      candidate_ = question_.candidate();
      oracle_.checked_.reset();
      if (oracle_.remembers() || oracle_.side_by_side_) {
        oracle_.checked_ = {oracle_.fingerprints_.of(*candidate_), time_};
      }
    }
    oracle_.candidate_ = &*candidate_;
    note_candidate(*candidate_, round);
  }

  LoopOracle& oracle_;
  const Question& question_;
  std::optional<Model>& candidate_;
  int time_;
};

LoopOracle::LoopOracle(CheckingOptions options, const Model& base, WriteModel write, Logger& log)
    : options_(std::move(options)),
      write_(std::move(write)),
      log_(log),
      fingerprints_(base),
      judge_(options_.others, log),
      check_(options_.jobs > 1 ? nullptr : options_.make_check(log, options_.cancel)),
      asking_(std::make_unique<Asking>(*this)),
      loop_(for_loop(options_), *asking_, log) {
  if (options_.journal) verdicts_ = options_.journal->before();
  if (check_) return;
  side_by_side_ = std::make_unique<SideBySide>(
      SideBySide::Options{
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

LoopOracle::~LoopOracle() = default;

LoopOptions LoopOracle::for_loop(const CheckingOptions& options) {
  LoopOptions loop = options.loop;
  loop.artifact_elsewhere = options.jobs > 1;
  return loop;
}

void LoopOracle::look_ahead(Search search) {
  if (side_by_side_) side_by_side_->set_search(std::move(search));
}

const Verdict* LoopOracle::known(const Checked& checked) const {
  if (!remembers()) return nullptr;
  const auto found = verdicts_.find(checked);
  return found == verdicts_.end() ? nullptr : &found->second;
}

void LoopOracle::learn(const Checked& checked, const Verdict& verdict) {
  if (options_.journal) options_.journal->add(checked, verdict);
}

// The check itself, of the present round.
Verdict LoopOracle::ask() {
  ++checks_;
  Verdict verdict;
  if (check_) {
    verdict = check_->run(options_.loop.artifact);
    if (checked_) learn(*checked_, verdict);
  } else {
    verdict = side_by_side_->verdict(*checked_, log_);
    const std::vector<std::string>& kept = options_.loop.artifacts.paths;
    if (options_.loop.keep_artifact ||
        std::find(kept.begin(), kept.end(), options_.loop.artifact) != kept.end()) {
      Logger silent;
      write_(*candidate_, options_.loop.artifact, silent);
    }
  }
  if (checked_) verdicts_[*checked_] = verdict;
  return verdict;
}

Verdict LoopOracle::verdict(const Question& question, std::optional<Model>& candidate, int time) {
  if (options_.cache) {
    checked_ = {fingerprints_.of(*candidate), time};
    if (const Verdict* known = this->known(*checked_)) {
      ++cached_;
      return judge_.judge(*known);
    }
  }
  if (!question.about.empty() && time == (question.again ? 1 : 0))
    log_.info(kReduce, question.about);
  Round round(*this, question, candidate, time);
  return loop_.round(round).verdict;
}

bool LoopOracle::fails(const Question& question) {
  if (const auto answer = answers_.find(question.key); answer != answers_.end()) {
    return answer->second;
  }
  std::optional<Model> candidate;
  // Whoever numbers all rounds makes the candidate in its round.
  if (options_.cache) candidate = question.candidate();
  bool fails = false;
  for (int i = 0; i < tries_ && !fails; ++i) {
    fails = !verdict(question, candidate, (question.again ? 1 : 0) + i).passed;
  }
  answers_[question.key] = fails;
  if (!fails || !options_.cache) return fails;
  const ModelSize size = model_size(*candidate);
  if (!smallest_ || size <= smallest_size_) {
    smallest_ = std::make_unique<Model>(std::move(*candidate));
    smallest_size_ = size;
  }
  return true;
}

}  // namespace polygraphy
