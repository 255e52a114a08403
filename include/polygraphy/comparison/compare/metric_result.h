// The result of a metric for one pair of outputs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polygraphy/comparison/compare/metric_options.h"
#include "polygraphy/comparison/verdict/token_counts.h"
#include "polygraphy/comparison/verdict/verdict.h"

namespace polygraphy {

struct Metric;  // one of CompareFunc::choices()

// "psnr"; valid for the life of the process.
std::string_view name_of(const Metric& metric);
// The names of its figures, in order: {"l2_norm"}. Empty if the metric has only a verdict.
std::vector<std::string_view> figure_names(const Metric& metric);

// The limits for an output: the `thresholds` of an accuracy file.
struct Threshold {
  std::string error_stat;           // simple: the statistic that the limits apply to
  std::vector<GivenNumber> limits;  // simple: atol, rtol; otherwise one
};

// A metric's figures for one pair of outputs, in the order of figure_names(); nullopt for an
// unrequested one. Empty if nothing can be measured (different shapes, strings, indices).
using Figures = std::vector<std::optional<double>>;

struct OutputResult {
  bool passed = false;
  Figures figures = {};
  Threshold threshold = {};  // only with figures
  // The error as a multiple of the limit; nullopt: not known, as for outputs that pass by a
  // metric.
  std::optional<double> excess = {};
  bool empty = false;  // neither output has an element
  // If it has not passed: kDiffers, or what keeps it from being judged.
  Agreement failure = Agreement::kDiffers;
  std::string reason = {};  // why it has passed or not, where the figures do not say it
  std::optional<TokenCounts> tokens = {};  // if the metric counts them
  bool left = false;  // the metric does not judge outputs of this kind: not compared
  // The metric of the figures; null: a function that is not a metric judged by itself.
  const Metric* metric = nullptr;
};

// The figures that are known, by name.
std::vector<std::pair<std::string_view, double>> known_figures(const OutputResult& result);

// By output, in the order in which they were judged.
using OutputResults = std::vector<std::pair<std::string, OutputResult>>;

}  // namespace polygraphy
