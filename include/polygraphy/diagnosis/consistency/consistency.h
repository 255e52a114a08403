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
  // Inputs whose first dimension is the batch; empty: those with an open first dimension of the
  // same name.
  std::vector<std::string> batch_inputs = {};
  // The tolerance of an output, by name. Empty: the default, and beyond it 3 times the noise of the
  // output where a variation may add in another order.
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

// Two different results of an output.
struct OutputDifference {
  std::string output = {};
  std::vector<int64_t> index = {};                    // of the element with the largest error
  std::string expected = {}, observed = {};           // its values
  double largest_absolute = 0, largest_relative = 0;  // over all elements; may be infinite
  int64_t elements = 0, beyond = 0;  // all elements, and those beyond the tolerance
  // The reason for missing figures: other types or shapes, a missing output. Empty: the figures are
  // valid.
  std::string incomparable = {};
  bool exceeds() const { return beyond > 0 || !incomparable.empty(); }
};

// One comparison that a check makes.
struct ConsistencyRow {
  std::string engine = {}, check = {};
  std::string what = {};  // "1 thread against 2, 3, 4 and 8"
  ConsistencyVerdict verdict = ConsistencyVerdict::kIdentical;
  std::optional<OutputDifference> worst = {};  // set if any element differs
  // Without these, the results are within the tolerance.
  std::vector<std::string> optimizers = {};
  std::vector<std::string> skipped = {};  // outputs without a row for each row of a batch: "y (3,)"
  std::vector<std::string> notes = {};
};

struct ConsistencyResult {
  std::vector<ConsistencyRow> rows = {};  // by engine, then by check
  std::vector<std::string> notes = {};    // about the model
  OrderedMap<std::string> versions = {};  // of engines, by their names; of parts of a result
  // On all rows: kDiffers if one differs, else kFailed if one failed.
  Verdict verdict() const;
};

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
