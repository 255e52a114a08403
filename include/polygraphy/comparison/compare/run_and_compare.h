// Running several runners on the same inputs and comparing what they return: the loop behind `run`.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/comparison/compare/comparison_observer.h"
#include "polygraphy/comparison/compare/metric_options.h"
#include "polygraphy/comparison/compare/postprocess.h"
#include "polygraphy/comparison/compare/result_function.h"
#include "polygraphy/comparison/run/run_options.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/data/results/torch_reader.h"
#include "polygraphy/runtimes/backend/runners.h"

namespace polygraphy {

struct Metric;

// What run_and_compare() does beside running.
struct CompareOptions : RunOptions {
  std::vector<std::string> load_outputs;
  TorchReader torch;  // of tensors in these files
  bool validate = false;
  // --check-average: the verdict is on every figure's mean over the iterations.
  bool check_average = false;
  std::string save_accuracy_results;
  // --compare-outputs: fewer than two results per iteration, or no iteration, is an Error.
  bool must_compare = false;
  ComparisonObserver* observer = nullptr;  // must outlive the run; null: none
  // Applied to results, saved ones included, after they were saved and before anything else.
  PerOutput<std::shared_ptr<const OutputFunction>> postprocess;
  std::vector<const Metric*> metrics;
  // Scripts in the place of these; null: none.
  std::shared_ptr<ResultComparison> compare_script;
  std::shared_ptr<ResultEdit> postprocess_script;
  MetricOptions metric_options;
  // Sees each iteration's results before they are compared. May be empty.
  std::function<void(const std::vector<IterationResult>&)> on_results;
};

// True: everything compared matched and validated, and no runner failed. A runner that fails
// (RunnerFailure) is reported and left out from there on; what it returned before is kept, the
// others go on and are compared with each other. The failure is thrown when no other runner is
// left, or with fail_fast. Throws Error for what the original calls critical; then the feeds and
// results of the iterations up to there have been saved, and the runners are inactive. Without
// runners the results loaded from files are compared with each other.
bool run_and_compare(const Runners& runners, FeedSource& feeds, const CompareOptions& options,
                     Logger& log);

}  // namespace polygraphy
