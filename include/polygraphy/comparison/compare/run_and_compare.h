// Runs several runners on the same inputs and compares their outputs: the loop behind `run`.
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
#include "polygraphy/comparison/verdict/run_record.h"
#include "polygraphy/comparison/verdict/verdict.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/data/results/torch_reader.h"
#include "polygraphy/runtimes/backend/runners.h"

namespace polygraphy {

struct Metric;

// Options of run_and_compare().
struct CompareOptions : RunOptions {
  std::vector<std::string> load_outputs;
  TorchReader torch;  // for tensors of PyTorch in these files
  bool validate = false;
  // --check-average: the verdict judges every figure's mean over the iterations.
  bool check_average = false;
  std::string save_accuracy_results;
  // The results are of windows of a text, by which the verdict scores runners (Verdict::text).
  bool scores_text = false;
  // --compare-outputs: fewer than two results per iteration, or no iteration, is an Error.
  bool must_compare = false;
  ComparisonObserver* observer = nullptr;  // must outlive the run; null: none
  // Gets the results of each sample, also those before Interrupted if no runner has failed; must
  // outlive the run.
  RunRecord* record = nullptr;
  // Applied to results, including loaded ones, after they were saved and before all other steps.
  PerOutput<std::shared_ptr<const OutputFunction>> postprocess;
  std::vector<const Metric*> metrics;
  // Scripts that replace comparison functions and post-processing; null: none.
  std::shared_ptr<ResultComparison> compare_script;
  std::shared_ptr<ResultEdit> postprocess_script;
  MetricOptions metric_options;
  // Receives each iteration's results before they are compared. May be empty.
  std::function<void(const std::vector<IterationResult>&)> on_results;
};

// The verdict on all compared outputs; Agreement::kFailed if a runner failed, kNotCompared if fewer
// than two sides have results. A runner that fails (RunnerFailure) is reported and left out from
// there on; its earlier results are kept, and the others go on and are compared with each other.
// Throws the failure if no other runner is left, or with fail_fast. Throws Error where the original
// has a critical error; earlier feeds and results are saved then, and the runners are inactive.
// Without runners, compares the results loaded from files with each other.
Verdict run_and_compare(const Runners& runners, FeedSource& feeds, const CompareOptions& options,
                        Logger& log);

}  // namespace polygraphy
