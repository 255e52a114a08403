// `--compare perceptual_metrics`: LPIPS, at most the threshold. The network that
// computes it lives in Python packages (image_distance.h).
#include "base/arrays/py_repr.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "polygraphy/comparison/compare/metrics/shared/image_distance.h"
#include "polygraphy/comparison/compare/metrics/shared/match_shapes.h"
#include "polygraphy/comparison/compare/metrics/shared/threshold_metric.h"

namespace polygraphy {
namespace {

constexpr ThresholdTraits kTraits = {
    .metric = "perceptual_metrics",
    .label = "LPIPS",
    .summary = "the perceptual difference of two images (LPIPS), by Python's torch and lpips",
    .order = 6,
    .figure_name = "lpips",
    .result_class = "PerceptualMetricsResult",
    .threshold_class = "LpipsThreshold",
    .limit = "max allowed",
    .unit = "",
    .option = "lpips_threshold",
    .flags = "--lpips-threshold --lpips-tolerance",
    .metavar = "LPIPS",
    .help = "perceptual_metrics: maximum LPIPS. Default: 0.1.",
    .python_class = "PerceptualMetricsCompareFunc",
    .python_arguments = "lpips_threshold check_shapes fail_fast",
    .fallback = 0.1,
    .least = 0,
    .at_least = false,
    .missing_passes = true,
    .figure = nullptr,
    .sums = 0,
};

class Perceptual : public MetricFunction {
 public:
  explicit Perceptual(const MetricOptions& options)
      : thresholds_(make_threshold_metric(kTraits, options)),
        images_(options.images),
        check_shapes_(options.check_shapes) {}

  void require() const override {
    if (images_) return images_->require();
    throw Error(kNoLpips,
                "LPIPS needs the Python packages torch and lpips, but there is no Python.");
  }
  void begin(const ArrayMap& outputs0, const ArrayMap& outputs1, Logger& log) override {
    thresholds_->begin(outputs0, outputs1, log);
  }

  OutputResult compare(const OutputPair& pair, Logger& log) override {
    OutputResult result;
    Array a, b;
    if (!match_shapes(pair, check_shapes_, a, b, log)) return result;
    result.threshold = threshold(std::string(pair.name0));
    result.figures = {distance(a, b, log)};
    result.passed = passes_threshold(kTraits, result.figures, result.threshold);
    if (result.figures.front()) {
      log.log(result.passed ? Severity::kFinish : Severity::kError, log_modules::kCompare,
              threshold_line(kTraits, result.figures, result.threshold));
    } else {
      log.warning(log_modules::kCompare,
                  "LPIPS could not be computed (see the warning above); this output is being "
                  "treated as a PASS, so its accuracy was NOT verified.");
    }
    return result;
  }

  Threshold threshold(const std::string& output) const override {
    return thresholds_->threshold(output);
  }

 private:
  std::optional<double> distance(const Array& a, const Array& b, Logger& log) const {
    constexpr int64_t kLeastRank = 3;
    if (a.rank() < kLeastRank) {
      log.warning(log_modules::kCompare,
                  "LPIPS requires at least 3D arrays, got shapes " + py_tuple_repr(a.shape()) +
                      " and " + py_tuple_repr(b.shape()) + ". LPIPS check will be skipped.");
      return std::nullopt;
    }
    std::string problem;
    const auto figure = images_->distance(a, b, problem);
    if (!figure) {
      log.warning(log_modules::kCompare,
                  "Error computing LPIPS: " + problem + ". LPIPS check will be skipped.");
    }
    return figure;
  }

  std::unique_ptr<MetricFunction> thresholds_;
  std::shared_ptr<ImageDistance> images_;
  bool check_shapes_;
};

std::unique_ptr<MetricFunction> make_metric(const MetricOptions& options) {
  return std::make_unique<Perceptual>(options);
}
constexpr Metric descriptor() {
  Metric metric = threshold_metric<kTraits>();
  metric.make = make_metric;
  return metric;
}

}  // namespace

extern constinit const Metric metric_perceptual_metrics = descriptor();

}  // namespace polygraphy
