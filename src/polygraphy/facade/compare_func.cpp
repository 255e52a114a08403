#include "polygraphy/facade/compare_func.h"

#include <cassert>

#include "base/error.h"
#include "base/near_names.h"
#include "base/text.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

// An integer stays one in files.
std::string written(int64_t value) {
  return std::to_string(value);
}
std::string written(double) {
  return {};
}

template <typename Number>
PerOutput<GivenNumber> given(const ValuePerOutput<Number>& values) {
  PerOutput<GivenNumber> result;
  for (const auto& [output, value] : values.values())
    result.set(output, {static_cast<double>(value), written(value)});
  return result;
}

}  // namespace

CompareFunc::CompareFunc(std::string name, const std::vector<std::string>& metrics)
    : name_(std::move(name)) {
  for (const std::string& metric : metrics) {
    metrics_.push_back(find_metric(metric));
    assert(metrics_.back() && "every function below is a metric of the library");
  }
}

CompareFunc CompareFunc::simple(const SimpleOptions& options) {
  CompareFunc function("simple", {"simple"});
  function.options_.check_shapes = options.check_shapes;
  function.options_.numbers["rtol"] = given(options.rtol);
  function.options_.numbers["atol"] = given(options.atol);
  function.options_.texts["check_error_stat"] = options.check_error_stat.values();
  function.options_.numbers["error_quantile"] = given(options.error_quantile);
  function.options_.flags["infinities_compare_equal"] = options.infinities_compare_equal;
  return function;
}

CompareFunc CompareFunc::indices(const IndicesOptions& options) {
  CompareFunc function("indices", {"indices"});
  function.options_.numbers["index_tolerance"] = given(options.index_tolerance);
  return function;
}

CompareFunc CompareFunc::distance_metrics(const DistanceOptions& options) {
  CompareFunc function("distance_metrics", {"l2", "cosine_similarity"});
  function.options_.check_shapes = options.check_shapes;
  function.options_.numbers.set("l2_threshold", given(options.l2_tolerance));
  function.options_.numbers.set("cosine_similarity_threshold",
                                given(options.cosine_similarity_threshold));
  return function;
}

CompareFunc CompareFunc::quality_metrics(const QualityOptions& options) {
  CompareFunc function("quality_metrics", {"psnr", "snr"});
  function.options_.check_shapes = options.check_shapes;
  function.options_.numbers.set("psnr_threshold", given(options.psnr_tolerance));
  function.options_.numbers.set("snr_threshold", given(options.snr_tolerance));
  return function;
}

CompareFunc CompareFunc::with_threshold(const std::string& metric,
                                        const ThresholdOptions& options) {
  CompareFunc function(metric, {metric});
  function.options_.check_shapes = options.check_shapes;
  // A threshold is the only option of this metric.
  function.options_.numbers[function.metrics_.front()->options.front().name] =
      given(options.threshold);
  return function;
}

CompareFunc CompareFunc::l2(const ThresholdOptions& options) {
  return with_threshold("l2", options);
}

CompareFunc CompareFunc::cosine_similarity(const ThresholdOptions& options) {
  return with_threshold("cosine_similarity", options);
}

CompareFunc CompareFunc::psnr(const ThresholdOptions& options) {
  return with_threshold("psnr", options);
}

CompareFunc CompareFunc::snr(const ThresholdOptions& options) {
  return with_threshold("snr", options);
}

CompareFunc CompareFunc::metric(std::string_view choice, MetricOptions options) {
  CompareFunc function{std::string(choice), {}};
  function.metrics_ = selected_metrics(choice);
  if (function.metrics_.empty()) {
    throw Error("Unknown metric '" + std::string(choice) + "'.",
                unknown_name_hint(choice, metric_choices(), "Metrics"));
  }
  function.options_ = std::move(options);
  return function;
}

std::vector<std::string_view> CompareFunc::choices() {
  return metric_choices();
}

CompareFunc CompareFunc::custom(std::string name, Custom function) {
  CompareFunc result(std::move(name), {});
  result.custom_ = std::move(function);
  return result;
}

}  // namespace polygraphy
