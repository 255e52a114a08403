// The pairs of outputs of two results, judged by one metric.
#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <string_view>
#include <vector>

#include "base/kept_messages.h"
#include "base/log.h"
#include "base/progress.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/pairs/pairing.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

// A pair of outputs, and the findings about it that metrics share.
struct ComparedPair {
  std::string_view name0, name1;
  size_t place0, place1;  // in their results
  bool failed = false;
  bool left = false;            // the first metric does not judge it
  bool hides_elements = false;  // only metrics failed that its elements do not explain
  PairStatistics statistics = {};
};

// Saved results are the reference of a runner's, in either order. Else the first of a pair is.
inline bool reference_is_second(const IterationResult& result0, const IterationResult& result1) {
  return !result0.saved && result1.saved;
}

// Judges the pairs of a batch side by side, if the metric allows it and the arrays are in memory.
// Messages and verdicts come in the order of the outputs.
class PairBatches {
 public:
  // All must stay alive. `wanted_sums`: of all metrics.
  PairBatches(const Metric& metric, MetricFunction& function, const IterationResult& result0,
              const IterationResult& result1, unsigned wanted_sums, Logger& log);
  ~PairBatches();
  PairBatches(const PairBatches&) = delete;
  PairBatches& operator=(const PairBatches&) = delete;

  // The verdict on the next pair, whose messages it logs; nullopt after the last one. `pairs` has
  // the pairs of earlier metrics, which are the same; a new one is added to it. Throws what the
  // metric throws.
  std::optional<OutputResult> next(std::vector<ComparedPair>& pairs);

 private:
  struct Output;

  size_t batch_size() const;
  void judge_batch(std::vector<ComparedPair>& pairs);
  void judge(Output& output, PairStatistics& statistics, Logger& log);

  const Metric& metric_;
  MetricFunction& function_;
  const IterationResult &result0_, &result1_;
  const unsigned wanted_sums_;
  Logger& log_;
  OutputPairing pairing_;
  std::list<Output> batch_;  // judged, and not yet returned
  size_t last_size_ = 0;     // of a batch
  size_t paired_ = 0;        // outputs of the first result
  size_t returned_ = 0;      // pairs
  ProgressPhase phase_;
};

}  // namespace polygraphy
