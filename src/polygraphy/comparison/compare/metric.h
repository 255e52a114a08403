// A comparison function that `run --compare NAME` selects. One file per metric under metrics/; each
// defines one descriptor.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arrays/array.h"
#include "base/arrays/array_map.h"
#include "base/error.h"
#include "base/log.h"
#include "numerics/histogram.h"
#include "numerics/pair_sums.h"
#include "numerics/statistics.h"
#include "polygraphy/comparison/compare/metric_options.h"
#include "polygraphy/comparison/compare/metric_result.h"

namespace polygraphy {

// Statistics of one pair of outputs, shared by all metrics: each reads the outputs only for missing
// statistics.
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
  PairStatistics* statistics = nullptr;  // null: not shared
  // The error that each element of `a` may have in this number format, in C order: float32, of any
  // shape with as many elements; null: it is not known. Errors of up to `noise_threshold` times it
  // pass.
  const Array* noise = nullptr;
  double noise_threshold = 1;
  bool reference_is_second = false;  // `b` was saved, and `a` comes from a runner
};

class MetricFunction {
 public:
  virtual ~MetricFunction() = default;
  // Called before the pairs of two results are judged: the place for what concerns all outputs.
  // Arrays that are read on demand are empty, but for Metric::reads_first.
  virtual void begin(const ArrayMap& outputs0, const ArrayMap& outputs1, Logger& log) {
    static_cast<void>(outputs0), static_cast<void>(outputs1), static_cast<void>(log);
  }
  // False: it leaves outputs of this kind, which is a VERBOSE line.
  virtual bool judges(std::string_view name) const {
    static_cast<void>(name);
    return true;
  }
  // Judges one pair and logs as the original does, at the logger's present indentation.
  virtual OutputResult compare(const OutputPair& pair, Logger& log) = 0;
  // Whether several threads may call compare() at a time, each with a separate log. The messages
  // about a few dozen pairs are then held in memory, so there are few of them.
  virtual bool concurrent() const { return false; }
  // The limits for this output; for metrics with figures.
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
  // Called by make_function() only, whose check of numbers it relies on. Throws Error for other
  // options that make no sense.
  std::unique_ptr<MetricFunction> (*make)(const MetricOptions&);
  std::span<const MetricOption> options = {};
  // A value of --compare that selects this metric with others: "distance_metrics".
  std::string_view group = {};
  // The original's class, and its keywords in the order in which scripts name them: names of
  // options, check_shapes, fail_fast. Empty: the original has no such metric.
  std::string_view python_class = {}, python_arguments = {};

  // Its form in accuracy files. Metrics without figures leave all members empty: they have only a
  // verdict.
  std::string_view figures = {};  // names, in file order: "psnr"
  std::string_view result_class = {}, threshold_class = {};
  std::string_view limits = "threshold";  // names of Threshold::limits, in file order
  // The verdict on figures. NaN and missing figures fail.
  bool (*judge)(const Figures&, const Threshold&) = nullptr;
  // Figures, threshold and verdict in a line of the log; null when the metric has no such line.
  std::string (*describe)(const Figures&, const Threshold&) = nullptr;

  unsigned sums = 0;                  // PairSums::Want
  bool of_elements = true;            // a histogram of the outputs helps where it fails
  bool reads_noise = false;           // OutputPair::noise
  std::string_view reads_first = {};  // an output that begin() looks at; empty: none
};

// All metrics of the folder, in file order.
std::span<const Metric* const> metrics();
// The same in the order of listings.
std::vector<const Metric*> listed_metrics();
const Metric* find_metric(std::string_view name);
// False for NaN, too: no figure exceeds it.
bool is_within_bounds(const MetricOption& option, const GivenNumber& number);
// Throws Error for one that is out of bounds. `output`: empty for all of them.
void check_number(const MetricOption& option, const std::string& output, const GivenNumber& number);
// For a kText option: its name, the text, and the texts that it takes.
Error unknown_choice(std::string_view option, std::string_view text,
                     std::span<const std::string_view> choices);
// The function of a metric. Throws Error for options that make no sense: numbers out of the bounds
// that their MetricOption declares.
std::unique_ptr<MetricFunction> make_function(const Metric& metric, const MetricOptions& options);
// The metrics behind a value of --compare: one, or those of a group; empty for other texts.
std::vector<const Metric*> selected_metrics(std::string_view choice);
// All such values, a group behind its last metric.
std::vector<std::string_view> metric_choices();

}  // namespace polygraphy
