// A comparison function that `run --compare NAME` selects. One file per metric under metrics/; each
// defines one descriptor.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arrays/array.h"
#include "base/arrays/tensor_map.h"
#include "base/log.h"
#include "base/ordered_map.h"
#include "numerics/histogram.h"
#include "numerics/pair_sums.h"
#include "numerics/statistics.h"
#include "pictures/pictures.h"
#include "polygraphy/compare/image_distance.h"

namespace polygraphy {

// Values per output name; "" is the default entry.
template <typename T>
using PerOutput = OrderedMap<T>;

// A number as the user gave it.
struct GivenNumber {
  double value = 0;
  // As Python prints what was typed, where that is not the float's repr: "1", which stays an int
  // there, for 1.0. It is written so to files, too.
  std::string typed;

  GivenNumber() = default;
  GivenNumber(double number, std::string text = {}) : value(number), typed(std::move(text)) {}
  std::string repr() const;
};

// Options of all metrics, as resolved from the command line. A metric reads its own.
struct MetricOptions {
  PerOutput<GivenNumber> rtol, atol;  // simple
  PerOutput<std::string> check_error_stat;
  PerOutput<double> error_quantile;
  bool infinities_compare_equal = false;
  PictureOptions pictures;             // simple
  PerOutput<int64_t> index_tolerance;  // indices
  // Of the metrics that hold one figure against one threshold, by their names: "l2".
  OrderedMap<PerOutput<GivenNumber>> thresholds;
  std::shared_ptr<ImageDistance> images;  // perceptual_metrics
  bool check_shapes = true;
  bool fail_fast = false;
};

// What has been found out about a pair of outputs on the way, so that nobody need read them again.
struct PairStatistics {
  // Of the outputs as they came from the runners: the comparator prints them.
  std::optional<Statistics> a, b;
  // Over the range that they have in common; set together when they will be printed.
  std::optional<std::optional<Histogram>> histogram_a, histogram_b;
  // Of outputs that have one shape. `wanted_sums`: all that the selected metrics will ask for, to
  // be computed together (PairSums::Want).
  unsigned wanted_sums = 0;
  std::optional<PairSums> sums;
};

// One pair of outputs to judge.
struct OutputPair {
  std::string_view name0, name1;      // output names on either side
  std::string_view runner0, runner1;  // runner names
  const Array& a;
  const Array& b;
  PairStatistics* statistics = nullptr;  // null: nobody wants them
};

// What is demanded of an output: the `thresholds` of an accuracy file.
struct Threshold {
  std::string error_stat;           // simple: what is held against the limits
  std::vector<GivenNumber> limits;  // simple: atol, rtol; otherwise one
};

// A metric's figures for one pair of outputs, in the order of Metric::figures; nullopt for one that
// was not asked for. Empty where there is nothing to measure (different shapes, strings, indices).
using Figures = std::vector<std::optional<double>>;

struct OutputResult {
  bool passed = false;
  Figures figures;
  Threshold threshold;  // only with figures
};

class MetricFunction {
 public:
  virtual ~MetricFunction() = default;
  // Called before the pairs of two results are judged: the place for what concerns all outputs.
  virtual void begin(const TensorMap& outputs0, const TensorMap& outputs1, Logger& log) {
    static_cast<void>(outputs0), static_cast<void>(outputs1), static_cast<void>(log);
  }
  // Judges one pair and logs as the original does, at the logger's present indentation.
  virtual OutputResult compare(const OutputPair& pair, Logger& log) = 0;
  // What is demanded of this output; for metrics with figures.
  virtual Threshold threshold(const std::string& output) const {
    static_cast<void>(output);
    return {};
  }
  // Asked before anything is run. Throws Error when something that the metric needs is missing.
  virtual void require() const {}
};

struct Metric {
  std::string_view name;     // "simple"
  std::string_view label;    // in log lines: "simple", "L2 Norm"
  std::string_view summary;  // one line for --help
  int order = 0;             // in listings
  // Throws Error for options that make no sense.
  std::unique_ptr<MetricFunction> (*make)(const MetricOptions&);

  // What accuracy files hold of it. Metrics without figures leave all of it empty:
  // they only know passed or failed.
  std::string_view figures = {};  // names, in file order: "psnr"
  std::string_view result_class = {}, threshold_class = {};
  std::string_view limits = "threshold";  // names of Threshold::limits, in file order
  // The verdict on figures. NaN and missing figures fail.
  bool (*judge)(const Figures&, const Threshold&) = nullptr;
  // Figures, threshold and verdict in a line of the log; null when the metric has no such line.
  std::string (*describe)(const Figures&, const Threshold&) = nullptr;

  unsigned sums = 0;  // PairSums::Want
};

// All metrics of the folder, in file order.
std::span<const Metric* const> metrics();
const Metric* find_metric(std::string_view name);

}  // namespace polygraphy
