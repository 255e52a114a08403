// Metrics that hold one figure against one threshold per output: l2, cosine_similarity, psnr, snr,
// perceptual_metrics (delta §4.1). A file under metrics/ gives the figure and the constants.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "polygraphy/compare/metric.h"

namespace polygraphy {

struct ThresholdTraits {
  std::string_view metric;  // its name: the key of MetricOptions::thresholds
  std::string_view label;   // "PSNR"
  std::string_view limit;   // how its lines call the threshold: "tolerance", "min required"
  std::string_view unit;    // after numbers: " dB"
  std::string_view option;  // in warnings: "psnr_threshold"
  double fallback;          // the threshold when none is given
  bool at_least;            // passes from the threshold on; else up to it
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

}  // namespace polygraphy
