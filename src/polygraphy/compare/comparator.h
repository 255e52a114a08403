// Running several runners on the same inputs and comparing what they return: the loop behind `run`
// (delta §3, spec D.1).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/backend/runner.h"
#include "polygraphy/compare/comparison_observer.h"
#include "polygraphy/compare/metric.h"
#include "polygraphy/compare/postprocess.h"
#include "polygraphy/compare/result_function.h"
#include "polygraphy/data/data_loader.h"
#include "polygraphy/data/saved_files.h"

namespace polygraphy {

// Feeds, one per iteration. `inputs` is the metadata of the runner whose turn it is; a generator
// needs it, a reader of saved inputs does not. next() returns nullopt after the last.
class FeedSource {
 public:
  virtual ~FeedSource() = default;
  virtual std::optional<TensorMap> next(const Metadata& inputs) = 0;
  // About how many there are in all, as far as that is known by now.
  virtual std::optional<int64_t> total() const { return std::nullopt; }
  virtual bool generates() const {
    return false;
  }  // can make a feed again for another runner's metadata
  // The feed of an iteration that next() has delivered, made anew for other inputs; nullopt when
  // generates() is false.
  virtual std::optional<TensorMap> again(int64_t iteration, const Metadata& inputs) {
    static_cast<void>(iteration), static_cast<void>(inputs);
    return std::nullopt;
  }
};
std::unique_ptr<FeedSource> generated_feeds(DataLoaderOptions options, Logger& log);
std::unique_ptr<FeedSource> saved_feeds(std::vector<std::string> paths, Logger& log);

struct RunOptions {
  bool sequential = false;  // --sequential-runners
  int64_t warm_up = 0;      // --warm-up, either mode
  std::string save_inputs, save_outputs;
  std::string save_input_blobs;  // a folder of raw bytes, --save-input-blob
  std::vector<std::string> load_outputs;
  bool validate = false;
  bool fail_fast = false;
  // --check-average: the verdict is on every figure's mean over the iterations.
  bool check_average = false;
  std::string save_accuracy_results;
  // --compare-outputs: fewer than two results per iteration, or no iteration, is an Error.
  bool must_compare = false;
  ComparisonObserver* observer = nullptr;  // must outlive the run; null: nobody
  // Applied to results, saved ones included, after they were saved and before anything else.
  PerOutput<std::shared_ptr<const OutputFunction>> postprocess;
  std::vector<const Metric*> metrics;
  // Scripts in the place of these; null: none.
  std::shared_ptr<ResultComparison> compare_script;
  std::shared_ptr<ResultEdit> postprocess_script;
  MetricOptions metric_options;
  // Asked between iterations: true ends the run with Interrupted. Result files stay as they were
  // then; of directories, the files of finished iterations stay. May be empty.
  std::function<bool()> cancelled;
  // Sees each iteration's results before they are compared. May be empty.
  std::function<void(const std::vector<IterationResult>&)> on_results;
  // Told of every iteration that has been run, and of about how many there will be. May be empty.
  std::function<void(int64_t done, std::optional<int64_t> total)> progress;
};

// True: everything compared matched and validated, and no runner failed. A runner that fails
// (RunnerFailure) is reported and left out from there on; what it returned before is kept, the
// others go on and are compared with each other. The failure is thrown when no other runner is
// left, or with fail_fast. Throws Error for what the original calls critical; then the feeds and
// results of the iterations up to there have been saved, and the runners are inactive. Without
// runners the results loaded from files are compared with each other.
bool run_and_compare(std::vector<std::unique_ptr<Runner>>& runners, FeedSource& feeds,
                     const RunOptions& options, Logger& log);

}  // namespace polygraphy
