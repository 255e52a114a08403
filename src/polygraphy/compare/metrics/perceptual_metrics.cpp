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
    .summary = "how different two images look (LPIPS)",
    .order = 6,
    .figure_name = "lpips",
    .result_class = "PerceptualMetricsResult",
    .threshold_class = "LpipsThreshold",
    .limit = "max allowed",
    .unit = "",
    .option = "lpips_threshold",
    .fallback = 0.1,
    .at_least = false,
    .missing_passes = true,
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
constexpr Metric descriptor() {
  Metric metric = threshold_metric<kTraits>();
  metric.make = make;
  return metric;
}

}  // namespace

extern const Metric metric_perceptual_metrics;
constinit const Metric metric_perceptual_metrics = descriptor();

}  // namespace polygraphy
