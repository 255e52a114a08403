#include "polygraphy/comparison/compare/metric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace polygraphy {
namespace {

TEST(Metric, ValuesOfCompareAreMetricsAndTheirGroups) {
  EXPECT_EQ(join(metric_choices(), " "),
            "simple indices l2 cosine_similarity distance_metrics psnr snr quality_metrics "
            "perceptual_metrics tokens");
}

TEST(Metric, AGroupIsItsMetrics) {
  EXPECT_EQ(selected_metrics("psnr"), std::vector{find_metric("psnr")});
  EXPECT_EQ(selected_metrics("quality_metrics"),
            (std::vector{find_metric("psnr"), find_metric("snr")}));
  EXPECT_TRUE(selected_metrics("best").empty());
}

// Values that were given are found by them.
TEST(Metric, NamesOfOptionsDiffer) {
  std::set<std::string_view> names, flags;
  for (const Metric* metric : metrics()) {
    for (const MetricOption& option : metric->options) {
      EXPECT_TRUE(names.insert(option.name).second) << option.name;
      for (const auto flag : split(option.flags, ' ')) {
        EXPECT_TRUE(flag.starts_with("--")) << flag;
        EXPECT_TRUE(flags.insert(flag).second) << flag;
      }
      EXPECT_FALSE(option.help.empty()) << option.name;
    }
  }
}

TEST(Metric, KeywordsInPythonAreItsOptions) {
  for (const Metric* metric : metrics()) {
    if (metric->python_class.empty()) continue;
    std::set<std::string_view> known{"check_shapes", "fail_fast"};
    for (const MetricOption& option : metric->options) known.insert(option.name);
    for (const auto keyword : split(metric->python_arguments, ' ')) {
      EXPECT_TRUE(known.contains(keyword)) << metric->name << ' ' << keyword;
    }
    for (const MetricOption& option : metric->options) {
      EXPECT_NE(metric->python_arguments.find(option.name), std::string_view::npos) << option.name;
    }
  }
}

std::string failure(std::string_view metric, std::string option, const std::string& output,
                    double number) {
  MetricOptions options;
  options.numbers[std::move(option)].set(output, number);
  try {
    make_function(*find_metric(metric), options);
  } catch (const Error& error) {
    return std::string(error.what()) + " " + error.hint();
  }
  return "";
}

// A limit that is NaN would let everything pass, since no figure exceeds it.
TEST(MetricOptions, NoNumberOfAnyMetricIsNan) {
  for (const Metric* metric : metrics()) {
    for (const MetricOption& option : metric->options) {
      using Type = MetricOption::Type;
      if (option.type != Type::kNumber && option.type != Type::kInteger) continue;
      for (const char* output : {"", "y"}) {
        EXPECT_NE(failure(metric->name, std::string(option.name), output, std::nan("")), "")
            << option.name;
      }
    }
  }
}

TEST(MetricOptions, NumbersHaveBounds) {
  EXPECT_EQ(failure("simple", "atol", "y", -1e-5),
            "Invalid atol for output 'y': -1e-05. Note: atol is 0 or greater.");
  EXPECT_EQ(failure("simple", "rtol", "", std::nan("")),
            "Invalid rtol: nan. Note: rtol is 0 or greater.");
  EXPECT_NE(failure("l2", "l2_threshold", "", -1), "");
  EXPECT_NE(failure("perceptual_metrics", "lpips_threshold", "", -1), "");
  EXPECT_NE(failure("indices", "index_tolerance", "", -1), "");
  EXPECT_EQ(failure("cosine_similarity", "cosine_similarity_threshold", "", -1.5),
            "Invalid cosine_similarity_threshold: -1.5. Note: cosine_similarity_threshold is "
            "between -1 and 1.");
  EXPECT_EQ(failure("psnr", "psnr_threshold", "", -20), "") << "decibels may be negative";
  EXPECT_EQ(failure("simple", "atol", "", std::numeric_limits<double>::infinity()), "");
}

TEST(MetricOptions, WhatWasNotGivenIsEmpty) {
  MetricOptions options;
  EXPECT_TRUE(options.numbers_of("rtol").empty());
  EXPECT_TRUE(options.texts_of("check_error_stat").empty());
  EXPECT_EQ(options.folder("save_heatmaps"), "");
  EXPECT_FALSE(options.flag("show_heatmaps"));
  options.numbers["rtol"].set("y", {2, "2"});
  EXPECT_EQ(options.numbers_of("rtol").find("y")->repr(), "2");
}

}  // namespace
}  // namespace polygraphy
