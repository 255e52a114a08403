#include "polygraphy/comparison/compare/metrics/shared/threshold_metric.h"

#include "base/arrays/py_repr.h"
#include "base/log_modules.h"
#include "numerics/difference.h"
#include "numerics/mismatches.h"
#include "polygraphy/comparison/compare/metrics/shared/match_shapes.h"
#include "polygraphy/comparison/compare/metrics/shared/per_output.h"
#include "polygraphy/comparison/compare/metrics/shared/string_equality.h"

namespace polygraphy {
namespace {

using log_modules::kCompare;

double limit_of(const Threshold& threshold) {
  return threshold.limits.front().value;
}

class ThresholdMetric : public MetricFunction {
 public:
  ThresholdMetric(const ThresholdTraits& traits, const MetricOptions& options)
      : traits_(traits),
        check_shapes_(options.check_shapes),
        thresholds_(options.numbers_of(traits.option)) {}

  void begin(const ArrayMap& outputs0, const ArrayMap& outputs1, Logger& log) override {
    warn_of_extra_items(traits_.option, thresholds_, outputs0, outputs1, log);
    if (!check_shapes_) announce_shape_matching(log);
  }

  bool concurrent() const override { return true; }

  OutputResult compare(const OutputPair& pair, Logger& log) override {
    if (log.enabled(Severity::kExtraVerbose, kCompare)) {
      log.extra_verbose(kCompare, "Note: Comparing " + std::string(pair.runner0) + " vs. " +
                                      std::string(pair.runner1));
    }
    Array a, b;
    OutputResult result;
    if (!match_shapes(pair, check_shapes_, a, b, log)) return result;
    if (const auto equal = compare_strings(pair, a, b, log)) {
      result.passed = *equal;
      return result;
    }
    result.figures = {traits_.figure(sums_of(pair, a, b))};
    result.threshold = threshold(std::string(pair.name0));
    result.passed = passes_threshold(traits_, result.figures, result.threshold);
    // Figures that must reach their limit have no such ratio.
    if (!result.passed && !traits_.at_least && result.figures.front())
      result.excess = excess_of(*result.figures.front(), limit_of(result.threshold));
    log.log(result.passed ? Severity::kFinish : Severity::kError, kCompare,
            threshold_line(traits_, result.figures, result.threshold));
    return result;
  }

  Threshold threshold(const std::string& output) const override {
    return {{}, {value_for(thresholds_, output, GivenNumber(traits_.fallback))}};
  }

 private:
  PairSums sums_of(const OutputPair& pair, const Array& a, const Array& b) const {
    if (pair.statistics == nullptr) return compute_pair_sums(a, b, traits_.sums);
    std::optional<PairSums>& sums = pair.statistics->sums;
    if (!sums || (sums->computed & traits_.sums) != traits_.sums) {
      sums = compute_pair_sums(a, b, pair.statistics->wanted_sums | traits_.sums);
    }
    return *sums;
  }

  const ThresholdTraits& traits_;
  bool check_shapes_;
  PerOutput<GivenNumber> thresholds_;
};

}  // namespace

std::unique_ptr<MetricFunction> make_threshold_metric(const ThresholdTraits& traits,
                                                      const MetricOptions& options) {
  return std::make_unique<ThresholdMetric>(traits, options);
}

bool passes_threshold(const ThresholdTraits& traits, const Figures& figures,
                      const Threshold& threshold) {
  if (!figures.empty() && !figures.front()) return traits.missing_passes;
  if (figures.empty() || threshold.limits.empty()) return false;
  return traits.at_least ? *figures.front() >= limit_of(threshold)
                         : *figures.front() <= limit_of(threshold);
}

std::string threshold_line(const ThresholdTraits& traits, const Figures& figures,
                           const Threshold& threshold) {
  const double figure = *figures.front(), limit = limit_of(threshold);
  constexpr int kDigits = 5, kAllDigits = 17;
  int digits = kDigits;
  std::string text = format_g(figure, digits), limit_text = format_g(limit, digits);
  while (text == limit_text && figure != limit && digits < kAllDigits) {
    ++digits;
    text = format_g(figure, digits);
    limit_text = format_g(limit, digits);
  }
  const std::string unit(traits.unit);
  return std::string(traits.label) + ": " + text + unit + " (" + std::string(traits.limit) + ": " +
         limit_text + unit + ") | " +
         (passes_threshold(traits, figures, threshold) ? "PASSED" : "FAILED");
}

}  // namespace polygraphy
