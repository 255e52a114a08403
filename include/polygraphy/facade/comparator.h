// Runs models on several runtimes and compares their outputs, for programs.
//
//   OnnxrtRunner onnxrt("model.onnx");
//   OpenVinoRunner openvino("model.onnx");
//   RunResults results = Comparator::run({onnxrt, openvino});
//   AccuracyResults accuracy = Comparator::compare_accuracy(
//       results, {.compare_func = CompareFunc::simple({.atol = 1e-6})});
//   if (!accuracy) …
//   results.save("results.json");
//
// Results are held in memory: for data sets, run a Runner yourself, or use run_and_compare()
// (polygraphy/comparison/compare/run_and_compare.h), which holds one iteration at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_results.h"
#include "polygraphy/comparison/compare/postprocess.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/facade/compare_func.h"
#include "polygraphy/facade/data_source.h"
#include "polygraphy/runtimes/backend/runners.h"

namespace polygraphy {

// Runners that the caller owns, {a, b}, or shares.
class RunnerList {
 public:
  RunnerList(std::initializer_list<std::reference_wrapper<Runner>> runners) {
    for (Runner& runner : runners) add(runner);
  }
  RunnerList(const std::vector<std::unique_ptr<Runner>>& runners) {
    for (const auto& runner : runners) add(*runner);
  }
  RunnerList(Runners runners) : runners_(std::move(runners)) {}
  const Runners& runners() const { return runners_; }

 private:
  // Without ownership.
  void add(Runner& runner) { runners_.emplace_back(std::shared_ptr<Runner>(), &runner); }

  Runners runners_;
};

struct ComparatorRunOptions {
  DataSource data_loader = {};
  int64_t warm_up = 0;
  std::string save_inputs_path = {};  // a file of saved inputs; empty: not saved
  CancelToken cancel = {};            // checked between iterations; throws Interrupted
  Logger* log = nullptr;              // null: silent
};

struct CompareAccuracyOptions {
  CompareFunc compare_func = CompareFunc::simple();
  bool fail_fast = false;  // stop at the first iteration that does not match
  // Judge the means of the figures over the iterations.
  bool check_average = false;
  // Pairs of indices in the results; empty: neighbours.
  std::vector<std::pair<size_t, size_t>> comparisons = {};
  Logger* log = nullptr;
};

struct ValidateOptions {
  bool check_inf = false;  // infinities, and NaNs too, as in the original
  bool check_nan = true;
  bool fail_fast = false;  // stop at the first output that is not valid
  Logger* log = nullptr;
};

struct Comparator {
  // Runs all iterations on one runner, then on the next; activates and deactivates each. Throws
  // RunnerFailure if a runtime fails, else Error, also for a runner that is active already; all
  // runners are inactive then.
  static RunResults run(const RunnerList& runners, const ComparatorRunOptions& options = {});

  // One AccuracyResult per metric. Iterations beyond the shorter list of two are not compared: the
  // log and the verdict say so. Throws Error (kNoIterations) if a list is empty.
  // Throws Error if outputs cannot be paired, or for invalid options.
  static AccuracyResults compare_accuracy(const RunResults& results,
                                          const CompareAccuracyOptions& options = {});

  // Replaces outputs, such as by PostprocessFunc::top_k(5).
  static void postprocess(RunResults& results, std::shared_ptr<const OutputFunction> function,
                          Logger* log = nullptr);
  // Functions by output; "" for all others. Outputs without a function stay.
  static void postprocess(RunResults& results,
                          const OrderedMap<std::shared_ptr<const OutputFunction>>& functions,
                          Logger* log = nullptr);

  // True if no output holds the values that the options search for.
  static bool validate(const RunResults& results, const ValidateOptions& options = {});
};

struct PostprocessFunc {
  // The indices of the k largest elements along an axis.
  static std::shared_ptr<const OutputFunction> top_k(int64_t k = 10, int64_t axis = -1);
  // Any value of --postprocess: "top-5,axis=1". Throws Error for other texts.
  static std::shared_ptr<const OutputFunction> parse(std::string_view text);
};

}  // namespace polygraphy
