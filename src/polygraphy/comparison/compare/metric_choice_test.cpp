#include "polygraphy/comparison/compare/metric_choice.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy {
namespace {

std::vector<const Metric*> chosen(std::vector<std::string> choices) {
  return chosen_metrics(choices);
}

std::string message(const std::string& choice) {
  MetricOptions options;
  try {
    set_arguments(choice, options);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(MetricChoiceTest, EveryMetricIsChosenOnce) {
  EXPECT_EQ(chosen({"quality_metrics", "tokens:kl=1", "snr"}),
            (std::vector{find_metric("psnr"), find_metric("snr"), find_metric("tokens")}));
  EXPECT_THROW(chosen({"token:kl=1"}), Error);
}

TEST(MetricChoiceTest, ArgumentsAreOptionsOfAllOutputs) {
  MetricOptions options;
  set_arguments("tokens:axis=1,margin=0.5", options);
  EXPECT_EQ(options.numbers_of("tokens_axis").find("")->value, 1);
  EXPECT_EQ(options.numbers_of("tokens_margin").find("")->value, 0.5);
  set_arguments("tokens", options);
  EXPECT_EQ(options.numbers.size(), 2);
}

TEST(MetricChoiceTest, AMarginMayBeLeftToTheMetric) {
  MetricOptions options;
  set_arguments("tokens:margin=auto", options);
  EXPECT_EQ(options.numbers_of("tokens_margin").find("")->typed, "auto");
  EXPECT_EQ(message("tokens:kl=auto"), "tokens:kl=auto: 'auto' is not a number");
}

TEST(MetricChoiceTest, ArgumentsThatMakeNoSense) {
  EXPECT_EQ(message("tokens:axes=1"), "tokens:axes=1: the function has no argument 'axes'");
  EXPECT_EQ(message("simple:axis=1"), "simple:axis=1: the function has no argument 'axis'");
  EXPECT_EQ(message("tokens:axis=x"), "tokens:axis=x: 'x' is not a whole number");
  EXPECT_EQ(message("tokens:axis=0.5"), "tokens:axis=0.5: '0.5' is not a whole number");
  EXPECT_EQ(message("tokens:margin="), "tokens:margin=: '' is not a number");
  EXPECT_EQ(message("tokens:"), "tokens:: the function has no argument ''");
  EXPECT_EQ(message("tokens:margin=-1"), "Invalid tokens_margin: -1.");
  EXPECT_EQ(message("tokens:margin=nan"), "Invalid tokens_margin: nan.");
}

}  // namespace
}  // namespace polygraphy
