// Tests candidates by checks, one after the other or those of a batch side by side: the log, the
// replay, the journal and the result are the same.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/cancel.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/debug_loop/loop.h"
#include "polygraphy/diagnosis/debug_loop/same_failure.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/batch_checks.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/interestingness.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/journal.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/write_model.h"
#include "polygraphy/models/candidates/model_fingerprint.h"
#include "polygraphy/models/candidates/model_size.h"

namespace polygraphy {

struct CheckingOptions {
  MakeCheck make_check;
  LoopOptions loop = {};  // `artifact`: where candidates lie that are checked one after the other
  OtherFailures others = OtherFailures::kWarn;
  int jobs = 1;                // checks at a time
  bool cache = false;          // equal candidates are checked once; they are not rounds of the loop
  Journal* journal = nullptr;  // may be null; with it, equal candidates are checked once
  CancelToken cancel = {};
};

class CandidateTester : public InterestingnessTest {
 public:
  // Candidates are made of `base`, with `intermediates`; with `ahead` if they are checked before
  // the search reaches them; null: candidates are not checked ahead. All arguments must outlive
  // this. Throws Error: files of candidates exist already, the replay cannot be read.
  CandidateTester(CheckingOptions options, const graphsurgeon::Model& base, WriteModel write,
                  Intermediates& intermediates, Intermediates* ahead, Logger& log);
  ~CandidateTester() override;

  std::string failing_output() const override { return failing_output_; }
  void begin(const std::string& suffix) override { loop_.begin(suffix); }
  void end() override { loop_.finish(); }
  void set_tries(int tries) override { tries_ = tries; }

  // The smallest that has failed so far, given away; null: none has.
  std::unique_ptr<graphsurgeon::Model> take_smallest() { return std::move(smallest_); }

  // How the first failure went; empty: that is not known.
  const std::string& failure() const { return judge_.first(); }
  // Verdicts so far: by a check, and because an equal candidate had been checked.
  int64_t checks() const { return checks_; }
  int64_t cached() const { return cached_; }

 private:
  // A candidate whose model may not have been made yet.
  struct Trial {
    const Candidate& candidate;
    const Upcoming<Candidate>& next;
    std::shared_ptr<graphsurgeon::Model> model = {};
    std::optional<Checked> checked = {};  // of the model, where anything is remembered by it
    int tries_left = 0;                   // after this one
  };
  using Try = BatchChecks::Try;

  bool answer(const Candidate& candidate, const Upcoming<Candidate>& next) override;
  std::optional<CheckResult> verdict(Trial& trial, int time);
  std::optional<CheckResult> run_round(Trial& trial, int time);
  CheckResult check(const Trial& trial);
  bool make(Trial& trial, int time);
  std::shared_ptr<graphsurgeon::Model> make_ahead(const Candidate& candidate);
  Upcoming<Try> upcoming_tries(const Trial& trial);
  void put_in_place(const Trial& trial);
  const CheckResult* known(const Checked& checked) const;
  void keep_smallest(graphsurgeon::Model model);
  static LoopOptions for_loop(const CheckingOptions& options);
  bool remembers() const { return options_.cache || options_.journal; }

  CheckingOptions options_;
  WriteModel write_;
  Logger& log_;
  Logger silent_;
  CandidateTools tools_;
  std::optional<CandidateTools> tools_ahead_;
  ModelFingerprints fingerprints_;
  SameFailure judge_;
  std::unique_ptr<Check> check_;  // null where checks are side by side
  DebugLoop loop_;
  std::unique_ptr<BatchChecks> batch_;  // null where they are not

  int tries_ = 1;
  std::string failing_output_;
  std::map<Checked, CheckResult> verdicts_;  // as the check gave them, before judge_
  int64_t checks_ = 0, cached_ = 0;
  std::unique_ptr<graphsurgeon::Model> smallest_;
  ModelSize smallest_size_;
};

}  // namespace polygraphy
