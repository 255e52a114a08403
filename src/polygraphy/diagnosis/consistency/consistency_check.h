// Ways in which an engine has to agree with itself: one file per check under checks/; each defines
// one descriptor.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polygraphy/diagnosis/consistency/batch_runs.h"
#include "polygraphy/diagnosis/consistency/engine_runs.h"
#include "polygraphy/diagnosis/consistency/output_difference.h"
#include "polygraphy/diagnosis/consistency/rounding_noise.h"

namespace polygraphy {

struct ConsistencyCheck;

// Runs the inputs again without any variation, and keeps how far the results differ. The engine
// runs once for all checks: samples in its session and in a new one, which may take a build, and
// the batch once a check has used it.
class Repetition {
 public:
  // Both outlive it.
  Repetition(EngineRuns& runs, BatchRuns& batch)
      : runs_(runs), batch_(batch), again_(runs.job().tolerance) {}

  // Throws Interrupted. Other errors end the runs that they are of.
  void run();
  // The worst difference of the runs so far; nullopt: they agree within the tolerance.
  std::optional<OutputDifference> difference() const;
  // The first error of a run; empty: all runs succeeded.
  const std::string& failure() const { return failure_; }

 private:
  void run_samples();
  void run_batch();

  EngineRuns& runs_;
  BatchRuns& batch_;
  WorstDifference again_;
  bool samples_ran_ = false, batch_ran_ = false;
  std::string failure_;
};

// The input of a check, and the destination of its results.
class CheckSubject {
 public:
  // All outlive it. `check`: whose rows these are.
  CheckSubject(EngineRuns& runs, BatchRuns& batch, Repetition& repetition,
               const ConsistencyCheck& check, std::vector<ConsistencyRow>& rows)
      : runs_(runs), batch_(batch), repetition_(repetition), check_(check), rows_(rows) {}

  EngineRuns& runs() const { return runs_; }
  BatchRuns& batch() const { return batch_; }

  // A comparison: `compare` puts all pairs of results into the difference, and may add to the row,
  // whose verdict follows from the difference: without comparisons, the check does not apply. A
  // failure of the engine becomes the row's verdict. Where results differ without a variation, too,
  // the row becomes one of the check "repeat", or has a note if that check is not selected.
  using Compare = std::function<void(WorstDifference& difference, ConsistencyRow& row)>;
  const ConsistencyRow& compare(std::string what, const Compare& compare) const;
  // The absolute tolerance of an output by the noise of the number format, if the variation may add
  // in another order and the job has no tolerances; else null.
  WorstDifference::Wider noise() const;
  // The same with other tolerances than the job's; `tolerance` outlives the call.
  const ConsistencyRow& compare(std::string what,
                                const std::function<OutputTolerance(const std::string&)>& tolerance,
                                const Compare& compare) const;
  // The same for outputs by rows of a batch, with notes on omitted outputs and on nodes that make
  // rows depend on each other.
  void compare_rows(std::string what, const Compare& compare) const;
  // Whether results differ without a variation, too; for a check before it searches for a cause.
  bool varies() const;
  void not_applicable(std::string why) const;
  // Records that the engine failed before any comparison.
  void failed(const RunnerFailure& failure) const;

 private:
  ConsistencyRow& add(std::string what) const;
  RoundingNoise& rounding() const;
  void blame_repetition(ConsistencyRow& row) const;

  EngineRuns& runs_;
  BatchRuns& batch_;
  Repetition& repetition_;
  const ConsistencyCheck& check_;
  std::vector<ConsistencyRow>& rows_;
  mutable std::optional<RoundingNoise> rounding_;
};

struct ConsistencyCheck {
  std::string_view name;     // as --only-check takes it: "threads"
  std::string_view summary;  // one line, for --list-checks
  int order = 0;             // the order of checks
  bool rounds = false;       // the variations may add in another order, so results may round
  bool of_batch = false;     // they run a batch
  // Adds at least one row. Throws Error, Interrupted.
  void (*run)(const CheckSubject& subject) = nullptr;
};

// All checks of the folder, in file order.
std::span<const ConsistencyCheck* const> consistency_checks();
// Whether `name` is one of `only`, or `only` is empty, and none of `skip`.
bool is_selected(std::string_view name, const std::vector<std::string>& only,
                 const std::vector<std::string>& skip);
// The checks of `only`, or all, without those of `skip`, in their order. Throws Error for an
// unknown name, and if no check is left.
std::vector<const ConsistencyCheck*> selected_checks(const std::vector<std::string>& only,
                                                     const std::vector<std::string>& skip);

}  // namespace polygraphy
