#include "polygraphy/compare_func.h"

#include <cassert>

namespace polygraphy {
namespace {

PerOutput<GivenNumber> given(const ValuePerOutput<double>& values) {
  PerOutput<GivenNumber> result;
  for (const auto& [output, value] : values.values()) result.set(output, value);
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
  function.options_.rtol = given(options.rtol);
  function.options_.atol = given(options.atol);
  function.options_.check_error_stat = options.check_error_stat.values();
  function.options_.error_quantile = options.error_quantile.values();
  function.options_.infinities_compare_equal = options.infinities_compare_equal;
  return function;
}

CompareFunc CompareFunc::indices(const IndicesOptions& options) {
  CompareFunc function("indices", {"indices"});
  function.options_.index_tolerance = options.index_tolerance.values();
  return function;
}

CompareFunc CompareFunc::distance_metrics(const DistanceOptions& options) {
  CompareFunc function("distance_metrics", {"l2", "cosine_similarity"});
  function.options_.check_shapes = options.check_shapes;
  function.options_.thresholds.set("l2", given(options.l2_tolerance));
  function.options_.thresholds.set("cosine_similarity", given(options.cosine_similarity_threshold));
  return function;
}

CompareFunc CompareFunc::quality_metrics(const QualityOptions& options) {
  CompareFunc function("quality_metrics", {"psnr", "snr"});
  function.options_.check_shapes = options.check_shapes;
  function.options_.thresholds.set("psnr", given(options.psnr_tolerance));
  function.options_.thresholds.set("snr", given(options.snr_tolerance));
  return function;
}

CompareFunc CompareFunc::with_threshold(const std::string& metric,
                                        const ThresholdOptions& options) {
  CompareFunc function(metric, {metric});
  function.options_.check_shapes = options.check_shapes;
  function.options_.thresholds.set(metric, given(options.threshold));
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

CompareFunc CompareFunc::custom(std::string name, Custom function) {
  CompareFunc result(std::move(name), {});
  result.custom_ = std::move(function);
  return result;
}

}  // namespace polygraphy
