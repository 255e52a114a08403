// Metrics that hold one figure against one threshold per output: l2, cosine_similarity, psnr, snr,
// perceptual_metrics. A file under metrics/ gives the figure and the constants.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {

struct ThresholdTraits {
  std::string_view metric;  // its name
  std::string_view label;   // "PSNR"
  std::string_view summary;
  int order;
  std::string_view figure_name;  // in files: "psnr"
  std::string_view result_class, threshold_class;
  std::string_view limit;   // how its lines call the threshold: "tolerance", "min required"
  std::string_view unit;    // after numbers: " dB"
  std::string_view option;  // its only one: "psnr_threshold"
  std::string_view flags, metavar, help;  // of the option: MetricOption
  std::string_view group = {};            // Metric::group
  std::string_view python_class = {};     // Metric::python_class
  std::string_view python_arguments = {};
  double fallback;                                          // the threshold when none is given
  double least = -std::numeric_limits<double>::infinity();  // MetricOption::least, most
  double most = std::numeric_limits<double>::infinity();
  bool at_least;  // passes from the threshold on; else up to it
  // A requested figure that could not be computed counts as passed.
  bool missing_passes = false;
  double (*figure)(const PairSums&);
  unsigned sums;  // that `figure` reads
};

// `traits` must be constants.
std::unique_ptr<MetricFunction> make_threshold_metric(const ThresholdTraits& traits,
                                                      const MetricOptions& options);
bool passes_threshold(const ThresholdTraits& traits, const Figures& figures,
                      const Threshold& threshold);
// "PSNR: 44.1 dB (min required: 30 dB) | PASSED": five digits, more where a failing figure would
// look like its threshold.
std::string threshold_line(const ThresholdTraits& traits, const Figures& figures,
                           const Threshold& threshold);

template <const ThresholdTraits& traits>
inline constexpr MetricOption threshold_option[] = {{.name = traits.option,
                                                     .flags = traits.flags,
                                                     .metavar = traits.metavar,
                                                     .help = traits.help,
                                                     .least = traits.least,
                                                     .most = traits.most}};

// The descriptor of a metric that is described by `traits`.
template <const ThresholdTraits& traits>
constexpr Metric threshold_metric() {
  return {
      .name = traits.metric,
      .label = traits.label,
      .summary = traits.summary,
      .order = traits.order,
      .make = [](const MetricOptions& options) { return make_threshold_metric(traits, options); },
      .options = threshold_option<traits>,
      .group = traits.group,
      .python_class = traits.python_class,
      .python_arguments = traits.python_arguments,
      .figures = traits.figure_name,
      .result_class = traits.result_class,
      .threshold_class = traits.threshold_class,
      .judge = [](const Figures& figures,
                  const Threshold& limits) { return passes_threshold(traits, figures, limits); },
      .describe = [](const Figures& figures,
                     const Threshold& limits) { return threshold_line(traits, figures, limits); },
      .sums = traits.sums,
  };
}

}  // namespace polygraphy
