// `--compare perceptual_metrics`: LPIPS, at most the threshold (delta §4.1). The network that
// computes it lives in Python packages; what was computed there can be held against thresholds
// here.
#include "base/error.h"
#include "polygraphy/compare/threshold_metric.h"

namespace polygraphy {
namespace {

constexpr ThresholdTraits kTraits = {
    .metric = "perceptual_metrics",
    .label = "LPIPS",
    .limit = "max allowed",
    .unit = "",
    .option = "lpips_threshold",
    .fallback = 0.1,
    .at_least = false,
    .figure = nullptr,
    .sums = 0,
};

class Perceptual : public MetricFunction {
 public:
  explicit Perceptual(const MetricOptions& options)
      : thresholds_(make_threshold_metric(kTraits, options)) {}

  void require() const override {
    throw Error("Module: 'torch' is required but could not be imported.",
                "Note: LPIPS is computed by the Python packages torch and lpips, which this "
                "version does not "
                "call yet. Without them: --compare quality_metrics (PSNR and SNR).");
  }
  OutputResult compare(const OutputPair&, Logger&) override {
    require();
    return {};
  }
  Threshold threshold(const std::string& output) const override {
    return thresholds_->threshold(output);
  }

 private:
  std::unique_ptr<MetricFunction> thresholds_;
};

std::unique_ptr<MetricFunction> make(const MetricOptions& options) {
  return std::make_unique<Perceptual>(options);
}
// What could not be computed (fewer than three dimensions …) counts as passed.
bool judge(const Figures& figures, const Threshold& threshold) {
  if (!figures.empty() && !figures.front()) return true;
  return passes_threshold(kTraits, figures, threshold);
}
std::string describe(const Figures& figures, const Threshold& threshold) {
  return threshold_line(kTraits, figures, threshold);
}

}  // namespace

extern const Metric metric_perceptual_metrics;
constinit const Metric metric_perceptual_metrics = {
    .name = "perceptual_metrics",
    .label = "LPIPS",
    .summary = "how different two images look (LPIPS)",
    .order = 6,
    .make = make,
    .figures = "lpips",
    .result_class = "PerceptualMetricsResult",
    .threshold_class = "LpipsThreshold",
    .judge = judge,
    .describe = describe,
    .sums = kTraits.sums,
};

}  // namespace polygraphy
