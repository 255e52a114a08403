// The criterion of Comparator::compare_accuracy(): a comparison function and its options, or a
// custom function.
//
//   CompareFunc::simple({.atol = 1e-8})
//   CompareFunc::simple({.rtol = {{"", 1e-5}, {"logits", 1e-2}}, .check_error_stat = "mean"})
//
// Options are checked when the comparison starts.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "polygraphy/comparison/compare/metric_options.h"
#include "polygraphy/comparison/compare/metric_result.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

// One value for all outputs, or values by output name; "" stands for all others.
template <typename T>
class ValuePerOutput {
 public:
  template <std::convertible_to<T> U>
  ValuePerOutput(const U& value) {
    values_.set("", T(value));
  }
  ValuePerOutput(std::initializer_list<std::pair<std::string, T>> values) : values_(values) {}

  const PerOutput<T>& values() const { return values_; }

 private:
  PerOutput<T> values_;
};

struct SimpleOptions {
  bool check_shapes = true;  // false: reshape outputs to equal shapes if possible
  ValuePerOutput<double> rtol = 1e-5, atol = 1e-5;
  ValuePerOutput<std::string> check_error_stat = "elemwise";  // max, mean, median, quantile
  ValuePerOutput<double> error_quantile = 0.99;
  bool infinities_compare_equal = false;
};

struct IndicesOptions {
  ValuePerOutput<int64_t> index_tolerance = 0;
};

struct DistanceOptions {
  ValuePerOutput<double> l2_tolerance = 1e-5, cosine_similarity_threshold = 0.997;
  bool check_shapes = true;
};

struct QualityOptions {
  ValuePerOutput<double> psnr_tolerance = 30.0, snr_tolerance = 20.0;
  bool check_shapes = true;
};

struct ThresholdOptions {
  ValuePerOutput<double> threshold;
  bool check_shapes = true;
};

class CompareFunc {
 public:
  // Returns verdicts by output name. Other outputs are not judged.
  using Custom =
      std::function<OrderedMap<bool>(const IterationResult& first, const IterationResult& second)>;

  static CompareFunc simple(const SimpleOptions& options = {});
  static CompareFunc indices(const IndicesOptions& options = {});
  // l2 and cosine_similarity; both must pass.
  static CompareFunc distance_metrics(const DistanceOptions& options = {});
  static CompareFunc l2(const ThresholdOptions& options = {.threshold = 1e-5});
  static CompareFunc cosine_similarity(const ThresholdOptions& options = {.threshold = 0.997});
  // psnr and snr; both must pass.
  static CompareFunc quality_metrics(const QualityOptions& options = {});
  static CompareFunc psnr(const ThresholdOptions& options = {.threshold = 30.0});
  static CompareFunc snr(const ThresholdOptions& options = {.threshold = 20.0});
  // Any metric, or a group of them, by its name on the command line. Throws Error for other names.
  static CompareFunc metric(std::string_view choice, MetricOptions options = {});
  // The names for metric().
  static std::vector<std::string_view> choices();
  static CompareFunc custom(std::string name, Custom function);

  // Null: a built-in function.
  const Custom& custom() const { return custom_; }
  const std::string& name() const { return name_; }
  const std::vector<const Metric*>& metrics() const { return metrics_; }
  const MetricOptions& options() const { return options_; }

 private:
  CompareFunc(std::string name, const std::vector<std::string>& metrics);
  static CompareFunc with_threshold(const std::string& metric, const ThresholdOptions& options);

  std::string name_;
  std::vector<const Metric*> metrics_;
  MetricOptions options_;
  Custom custom_;
};

}  // namespace polygraphy
