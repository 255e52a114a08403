// Answers the questions of a search by checking candidates: one after the other as far as anybody
// can see, some of them ahead of time and side by side.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/debug/loop.h"
#include "polygraphy/debug/same_failure.h"
#include "polygraphy/reduce/candidates/model_fingerprint.h"
#include "polygraphy/reduce/candidates/model_size.h"
#include "polygraphy/reduce/oracle/journal.h"
#include "polygraphy/reduce/oracle/one_model.h"
#include "polygraphy/reduce/oracle/question.h"
#include "polygraphy/reduce/oracle/side_by_side.h"

namespace polygraphy {

struct CheckingOptions {
  MakeCheck make_check;
  LoopOptions loop = {};  // `artifact`: where candidates lie that are checked one after the other
  OtherFailures others = OtherFailures::kWarn;
  int jobs = 1;                // checks at a time
  bool cache = false;          // equal candidates are checked once; those are no rounds of the loop
  Journal* journal = nullptr;  // may be null; with it, equal candidates are checked once
  const std::atomic<bool>* cancel = nullptr;  // may be null
};

class LoopOracle : public Oracle {
 public:
  // Candidates are made of `base` by whoever asks. What is handed in must outlive this. Throws
  // Error: files of candidates are there already, the replay cannot be read.
  LoopOracle(CheckingOptions options, const graphsurgeon::Model& base, WriteModel write,
             Logger& log);
  ~LoopOracle() override;

  bool fails(const Question& question) override;
  void begin(const std::string& suffix) override { loop_.begin(suffix); }
  void end() override { loop_.finish(); }
  void set_tries(int tries) override { tries_ = tries; }

  // What asks, from here on: to be told whenever it has come further.
  void look_ahead(Search search);
  bool looks_ahead() const { return side_by_side_ != nullptr; }

  // The smallest that has failed so far, given away; null: none has.
  std::unique_ptr<graphsurgeon::Model> take_smallest() { return std::move(smallest_); }

  // How the first failure went; empty: that is not known.
  const std::string& failure() const { return judge_.first(); }
  // Answers so far: by a check, and because an equal candidate had been checked.
  int64_t checks() const { return checks_; }
  int64_t cached() const { return cached_; }

 private:
  class Round;
  class Asking;

  Verdict ask();
  Verdict verdict(const Question& question, std::optional<graphsurgeon::Model>& candidate,
                  int time);
  const Verdict* known(const Checked& checked) const;
  void learn(const Checked& checked, const Verdict& verdict);
  static LoopOptions for_loop(const CheckingOptions& options);
  bool remembers() const { return options_.cache || options_.journal; }

  CheckingOptions options_;
  WriteModel write_;
  Logger& log_;
  ModelFingerprints fingerprints_;
  SameFailure judge_;
  std::unique_ptr<Check> check_;   // null where checks are side by side
  std::unique_ptr<Check> asking_;  // what the loop runs
  DebugLoop loop_;
  std::unique_ptr<SideBySide> side_by_side_;

  int tries_ = 1;
  std::map<std::string, bool> answers_;             // by key
  std::map<Checked, Verdict> verdicts_;             // before anything was made of them
  std::optional<Checked> checked_;                  // of the present round
  const graphsurgeon::Model* candidate_ = nullptr;  // of the present round
  int64_t checks_ = 0, cached_ = 0;
  std::unique_ptr<graphsurgeon::Model> smallest_;
  ModelSize smallest_size_;
};

}  // namespace polygraphy
