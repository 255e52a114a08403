// Tests candidates by checks: in the order in which the search asks for them as far as the log, the
// replay and the result are concerned, some of them ahead of time and side by side.
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
#include "polygraphy/diagnosis/reduce/candidate_tests/interestingness.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/journal.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/speculative_checks.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/write_model.h"
#include "polygraphy/models/candidates/model_fingerprint.h"
#include "polygraphy/models/candidates/model_size.h"

namespace polygraphy {

struct CheckingOptions {
  MakeCheck make_check;
  LoopOptions loop = {};  // `artifact`: where candidates lie that are checked one after the other
  OtherFailures others = OtherFailures::kWarn;
  int jobs = 1;                // checks at a time
  bool cache = false;          // equal candidates are checked once; those are no rounds of the loop
  Journal* journal = nullptr;  // may be null; with it, equal candidates are checked once
  CancelToken cancel = {};
};

class TestManager : public InterestingnessTest {
 public:
  // Candidates are made of `base`. What is handed in must outlive this. Throws Error: files of
  // candidates are there already, the replay cannot be read.
  TestManager(CheckingOptions options, const graphsurgeon::Model& base, WriteModel write,
              Logger& log);
  ~TestManager() override;

  bool fails(const Candidate& candidate) override;
  std::string failing_output(const std::string& key) const override;
  void begin(const std::string& suffix) override { loop_.begin(suffix); }
  void end() override { loop_.finish(); }
  void set_tries(int tries) override { tries_ = tries; }

  // The search that is running, from where it stands: to be told again whenever it has come
  // further. It is run ahead, on guesses, while a check is running.
  void look_ahead(Search search);
  bool looks_ahead() const { return speculative_ != nullptr; }

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
    std::optional<graphsurgeon::Model> model = {};
    std::optional<Checked> checked = {};  // of the model, where anything is remembered by it
  };

  Verdict verdict(Trial& trial, int time);
  Verdict run_round(Trial& trial, int time);
  Verdict check(const Trial& trial);
  void make(Trial& trial, int time);
  void put_in_place(const Trial& trial);
  const Verdict* known(const Checked& checked) const;
  void learn(const Checked& checked, const Verdict& verdict);
  void keep_smallest(graphsurgeon::Model model);
  static LoopOptions for_loop(const CheckingOptions& options);
  bool remembers() const { return options_.cache || options_.journal; }

  CheckingOptions options_;
  WriteModel write_;
  Logger& log_;
  ModelFingerprints fingerprints_;
  SameFailure judge_;
  std::unique_ptr<Check> check_;  // null where checks are side by side
  DebugLoop loop_;
  std::unique_ptr<SpeculativeChecks> speculative_;

  int tries_ = 1;
  std::map<std::string, bool> answers_;         // by key
  std::map<std::string, std::string> outputs_;  // that failed, by key, where one is known
  std::map<Checked, Verdict> verdicts_;         // as the check gave them, before judge_
  int64_t checks_ = 0, cached_ = 0;
  std::unique_ptr<graphsurgeon::Model> smallest_;
  ModelSize smallest_size_;
};

}  // namespace polygraphy
