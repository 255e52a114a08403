// A comparison function that `run --compare NAME` selects. One file per metric under metrics/; each
// defines one descriptor.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/array.h"
#include "base/log.h"
#include "base/ordered_map.h"
#include "polygraphy/compare/statistics.h"
#include "polygraphy/data/tensor_map.h"

namespace polygraphy {

// Values per output name; "" is the default entry (spec B.5).
template <typename T>
using PerOutput = OrderedMap<T>;

// Options of all metrics, as resolved from the command line. A metric reads its own.
struct MetricOptions {
  PerOutput<double> rtol, atol;
  // How the user wrote a tolerance, under the same key, where Python would print it differently
  // from the number: "1", which stays an int there, for 1.0. Keys may be absent.
  PerOutput<std::string> rtol_text, atol_text;
  PerOutput<std::string> check_error_stat;
  PerOutput<double> error_quantile;
  bool infinities_compare_equal = false;
  bool check_shapes = true;
  bool fail_fast = false;
};

// Statistics of the two outputs of a pair as they came from the runners. A metric that reads both
// anyway leaves them here, so that the comparator need not read them again to print them.
struct PairStatistics {
  std::optional<Statistics> a, b;
};

// One pair of outputs to judge.
struct OutputPair {
  std::string_view name0, name1;      // output names on either side
  std::string_view runner0, runner1;  // runner names
  const Array& a;
  const Array& b;
  PairStatistics* statistics = nullptr;  // null: nobody wants them
};

// The original's OutputCompareResult (delta §6.3): what --save-accuracy-results will store.
struct OutputCompareResult {
  bool passed = false;
  bool shapes_differ = false;  // then there are no numbers
  double max_absdiff = 0, max_reldiff = 0, mean_absdiff = 0, mean_reldiff = 0, median_absdiff = 0,
         median_reldiff = 0;
  std::optional<double> quantile_absdiff, quantile_reldiff;
};

class MetricFunction {
 public:
  virtual ~MetricFunction() = default;
  // Called before the pairs of two results are judged: the place for what concerns all outputs.
  virtual void begin(const TensorMap& outputs0, const TensorMap& outputs1, Logger& log) {
    static_cast<void>(outputs0), static_cast<void>(outputs1), static_cast<void>(log);
  }
  // Judges one pair and logs as spec S3 says, at the logger's present indentation.
  virtual OutputCompareResult compare(const OutputPair& pair, Logger& log) = 0;
};

struct Metric {
  std::string_view name;     // "simple"
  std::string_view label;    // in log lines: "simple", "L2 Norm"
  std::string_view summary;  // one line for --help
  int order = 0;             // in listings
  // Throws Error for options that make no sense.
  std::unique_ptr<MetricFunction> (*make)(const MetricOptions&);
};

// All metrics of the folder, in file order.
std::span<const Metric* const> metrics();
const Metric* find_metric(std::string_view name);

}  // namespace polygraphy
