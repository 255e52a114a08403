// The job behind `check consistency`: whether an engine agrees with itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ordered_map.h"
#include "base/record.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// There is no engine to check, or no input to run it on.
inline constexpr ErrorCode kNothingToCheck{"nothing-to-check"};

// The largest batch, in rows and in bytes: each row is computed alone, too.
inline constexpr int64_t kLargestBatch = 65536;
inline constexpr int64_t kLargestBatchBytes = int64_t{4} << 30;

// An output passes if every element is within either tolerance.
struct OutputTolerance {
  double absolute = 1e-5, relative = 1e-5;
};

struct ConsistencyJob {
  ModelSource model = {};
  std::vector<RunnerSpec> engines = {};
  // The same feeds each time.
  std::function<std::unique_ptr<FeedSource>()> make_feeds = {};
  int64_t samples = 1;     // the largest number of feeds for checks without batches
  int64_t batch_size = 8;  // rows of a batch if the model leaves it open: 2 to kLargestBatch
  // Inputs that have the batch as their first dimension; empty: all with an open first dimension of
  // the same name.
  std::vector<std::string> batch_inputs = {};
  // The tolerance of an output, by name. Empty: the default, and beyond it 3× the output's noise
  // where a variation may add in another order.
  std::function<OutputTolerance(const std::string& output)> tolerance = {};
  std::string decoder_names = {};                 // DecodeOptions::names, for the check of caches
  std::vector<std::string> only = {}, skip = {};  // names of checks
  // Only some: from all checks of the first engine, then those of the second …, these numbers.
  std::optional<std::pair<int64_t, int64_t>> range = {};  // first and last
  std::string scratch = {};  // a folder for files that engines save; empty: the system's
  CancelToken cancel = {};
};

// Worst first.
enum class ConsistencyVerdict : uint8_t {
  kFailed,  // the engine could not run in this variation, or at all: `notes` have its message
  kDiffers,
  kWithinTolerance,
  kIdentical,      // bit by bit; NaNs are all alike
  kNotApplicable,  // `notes` have the reason
};

// "failed", "differs", "within tolerance", "identical", "not applicable".
std::string_view name_of(ConsistencyVerdict verdict);
constexpr auto all_of(RecordOf<ConsistencyVerdict>) {
  return values_up_to<ConsistencyVerdict::kNotApplicable>();
}

struct OutputDifference {
  std::string output = {};
  std::vector<int64_t> index = {};
  std::string expected = {}, observed = {};
  double largest_absolute = 0, largest_relative = 0;  // may be infinite
  int64_t elements = 0, beyond = 0;
  std::string incomparable = {};  // empty: the figures are valid
  bool exceeds() const { return beyond > 0 || !incomparable.empty(); }
};

constexpr auto record_of(RecordOf<OutputDifference>) {
  using Of = OutputDifference;
  return record<Of>(
      "OutputDifference", "Two different results of an output.",
      member("output", &Of::output, "Its name."),
      member("incomparable", &Of::incomparable,
             "The reason for missing figures: other types or shapes, a missing output.")
          .if_set(),
      member("index", &Of::index, "Of the element with the largest error.").if_set(),
      member("expected", &Of::expected, "Its value, as a text.").if_set(),
      member("observed", &Of::observed, "The value that the variation gave, as a text.").if_set(),
      member("largest_absolute", &Of::largest_absolute,
             "The largest error of all elements; may be infinite."),
      member("largest_relative", &Of::largest_relative, "The largest relative error, likewise."),
      count("elements", &Of::elements, "How many there are."),
      count("beyond_tolerance", &Of::beyond, "Those beyond the tolerance."));
}

struct ConsistencyRow {
  std::string engine = {}, check = {}, what = {};
  ConsistencyVerdict verdict = ConsistencyVerdict::kIdentical;
  std::optional<OutputDifference> worst = {};
  std::vector<std::string> optimizers = {}, skipped = {}, notes = {};
};

constexpr auto record_of(RecordOf<ConsistencyRow>) {
  using Of = ConsistencyRow;
  return record<Of>(
      "ConsistencyRow", "One comparison that a check made.",
      member("engine", &Of::engine, "The name of the runner."),
      member("check", &Of::check,
             "\"repeat\", \"batch\", \"threads\" ...: see docs/consistency.md."),
      member("comparison", &Of::what, "\"1 thread against 2, 3, 4 and 8\"."),
      member(
          "verdict", &Of::verdict,
          "\"failed\" (notes have the engine's message), \"differs\", \"within tolerance\", "
          "\"identical\" (bit by bit; NaNs are all alike) or \"not applicable\" (notes say why)."),
      member("worst", &Of::worst,
             "The output with the largest error; missing: all elements are the same.")
          .if_set(),
      member("optimizers", &Of::optimizers, "Without these, the results are within the tolerance.")
          .if_set(),
      member("skipped", &Of::skipped, "Outputs without a row for each row of a batch: \"y (3,)\".")
          .if_set(),
      member("notes", &Of::notes, "Messages and reasons."));
}

struct ConsistencyResult {
  std::vector<ConsistencyRow> rows = {};
  std::vector<std::string> notes = {};
  OrderedMap<std::string> versions = {};
  // On all rows: kDiffers if one differs, else kFailed if one failed.
  Verdict verdict() const;
  bool consistent() const { return verdict().passed(); }
};

std::string consistency_summary(const ConsistencyResult& result);  // consistency_text.h

constexpr auto record_of(RecordOf<ConsistencyResult>) {
  using Of = ConsistencyResult;
  return record<Of>("ConsistencyFigures", "Whether engines agree with themselves.",
                    derived("consistent", &Of::consistent, "Whether the answer is \"agrees\"."),
                    derived(
                        "summary", [](const Of& of) { return consistency_summary(of); },
                        "The text that `polygraphy check consistency` prints.")
                        .json_only(),
                    derived("answer", &Of::verdict, "On all checks."),
                    member("notes", &Of::notes, "About the model."),
                    member("versions", &Of::versions, "Of engines; of parts of a result.").if_set(),
                    member("rows", &Of::rows, "By engine, then by check.").needed());
}

// Runs each engine in all the ways that the checks know, and compares what it returns with what it
// returns otherwise. An engine that cannot run at all has one row, which says so. Throws Error (the
// model, feeds, names of checks and inputs, an option of an engine), Interrupted. Files that an
// engine's options have it save are not written.
ConsistencyResult check_consistency(const ConsistencyJob& job, RunnerFactory& factory, Logger& log);

// How many checks there are for ConsistencyJob::range. Throws Error for unknown names of checks.
int64_t number_of_checks(const ConsistencyJob& job);
// Appends the rows of the next range. Throws Error (kOtherRun) if versions of an engine differ.
void append(ConsistencyResult& whole, ConsistencyResult part);

struct ConsistencyCheckInfo {
  std::string_view name, summary;
};
// All checks, in the order in which they are made.
std::vector<ConsistencyCheckInfo> consistency_check_list();

}  // namespace polygraphy
