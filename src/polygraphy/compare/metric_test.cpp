#include "polygraphy/compare/metric.h"

#include <gtest/gtest.h>

#include <set>

#include "base/text.h"

namespace polygraphy {
namespace {

TEST(Metric, ValuesOfCompareAreMetricsAndTheirGroups) {
  EXPECT_EQ(join(metric_choices(), " "),
            "simple indices l2 cosine_similarity distance_metrics psnr snr quality_metrics "
            "perceptual_metrics");
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
