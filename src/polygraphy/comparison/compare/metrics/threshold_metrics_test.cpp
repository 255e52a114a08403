// l2, cosine_similarity, psnr, snr, perceptual_metrics.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/testdata/log_text.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class ThresholdMetricsTest : public testing::Test {
 protected:
  OutputResult compare(const char* metric, const Array& a, const Array& b,
                       PairStatistics* statistics = nullptr) {
    return make_function(*find_metric(metric), options_)
        ->compare({"y", "y", "R0", "R1", a, b, statistics}, log_.log());
  }
  double figure(const char* metric, std::initializer_list<float> a,
                std::initializer_list<float> b) {
    const auto size = static_cast<int64_t>(a.size());
    return *compare(metric, Array::of<float>({size}, a), Array::of<float>({size}, b)).figures.at(0);
  }

  MetricOptions options_;
  LogText log_;
};

TEST_F(ThresholdMetricsTest, L2IsTheEuclideanDistance) {
  EXPECT_EQ(figure("l2", {1, 2}, {4, 6}), 5);
  EXPECT_EQ(log_.take(), "[E] L2 Norm: 5 (tolerance: 1e-05) | FAILED\n");
  EXPECT_EQ(figure("l2", {}, {}), 0);
  EXPECT_EQ(log_.take(), "[I] L2 Norm: 0 (tolerance: 1e-05) | PASSED\n");
}

TEST_F(ThresholdMetricsTest, CosineSimilarityOfVectorsAndOfNone) {
  EXPECT_EQ(figure("cosine_similarity", {1, 0}, {2, 0}), 1);
  EXPECT_EQ(figure("cosine_similarity", {1, 0}, {0, 1}), 0);
  EXPECT_EQ(figure("cosine_similarity", {1, 0}, {-3, 0}), -1);
  EXPECT_EQ(figure("cosine_similarity", {0, 0}, {0, 0}), 1);
  EXPECT_EQ(figure("cosine_similarity", {0, 0}, {0, 1}), 0);
  log_.take();
  EXPECT_TRUE(std::isnan(figure("cosine_similarity", {NAN, 0}, {1, 1})));
  EXPECT_EQ(log_.take(), "[E] Cosine Similarity: nan (min required: 0.997) | FAILED\n");
}

// sqrt(2) * sqrt(2) is 2.0000000000000004.
TEST_F(ThresholdMetricsTest, EqualIntegersAreSimilarWhateverRoundingSays) {
  options_.numbers.set("cosine_similarity_threshold", {{"", 1}});
  const Array ones = Array::of<int32_t>({2}, {1, 1});
  EXPECT_TRUE(compare("cosine_similarity", ones, ones).passed);
  EXPECT_EQ(log_.take(), "[I] Cosine Similarity: 1 (min required: 1) | PASSED\n");
  EXPECT_FALSE(compare("cosine_similarity", ones, Array::of<int32_t>({2}, {2, 2})).passed);
  const Array floats = Array::of<double>({2}, {1, 1});
  EXPECT_EQ(*compare("cosine_similarity", floats, floats).figures.at(0), 0.9999999999999998)
      << "the original's figure";
}

TEST_F(ThresholdMetricsTest, PsnrTakesTheLargestValueOfTheFirstOutputAsPeak) {
  EXPECT_NEAR(figure("psnr", {10, 0}, {9, 1}), 20, 1e-12);
  EXPECT_EQ(log_.take(), "[E] PSNR: 20 dB (min required: 30 dB) | FAILED\n");
  EXPECT_EQ(figure("psnr", {-1, -2}, {-2, -3}), 0) << "a peak that is not positive counts as 1";
  EXPECT_EQ(figure("psnr", {1, 2}, {1, 2}), kInfinity);
  EXPECT_TRUE(std::isnan(figure("psnr", {}, {})));
}

TEST_F(ThresholdMetricsTest, SnrTakesTheFirstOutputAsSignal) {
  EXPECT_NEAR(figure("snr", {10, 10}, {9, 11}), 20, 1e-12);
  EXPECT_EQ(log_.take(), "[I] SNR: 20 dB (min required: 20 dB) | PASSED\n");
  EXPECT_EQ(figure("snr", {0, 0}, {0, 0}), kInfinity);
  EXPECT_EQ(figure("snr", {0, 0}, {1, 0}), -kInfinity);
}

TEST_F(ThresholdMetricsTest, ThresholdsPerOutput) {
  options_.numbers.set("l2_threshold", {{"", 0.5}, {"y", {7, "7"}}});
  EXPECT_EQ(figure("l2", {1, 2}, {4, 6}), 5);
  EXPECT_EQ(log_.take(), "[I] L2 Norm: 5 (tolerance: 7) | PASSED\n");
  const auto function = make_function(*find_metric("l2"), options_);
  EXPECT_EQ(function->threshold("other").limits[0].value, 0.5);
  EXPECT_EQ(function->threshold("y").limits[0].repr(), "7");
}

TEST_F(ThresholdMetricsTest, WarnsOfThresholdsForNoOutput) {
  options_.numbers.set("snr_threshold", {{"q", 4}});
  const ArrayMap outputs{{"y", Array::of<float>({1}, {1})}};
  make_function(*find_metric("snr"), options_)->begin(outputs, outputs, log_.log());
  EXPECT_TRUE(log_.has("[W] Extra items in the snr_threshold dictionary: {'q'}."));
}

TEST_F(ThresholdMetricsTest, MoreDigitsWhereAFigureLooksLikeItsThreshold) {
  options_.numbers.set("l2_threshold", {{"", 0.013926001}});
  compare("l2", Array::of<double>({1}, {0.013926005796531204}), Array::of<double>({1}, {0.0}));
  EXPECT_EQ(log_.take(), "[E] L2 Norm: 0.01392601 (tolerance: 0.013926) | FAILED\n");
  options_.numbers.set("l2_threshold", {{"", 0.013926005796531204}});
  compare("l2", Array::of<double>({1}, {0.013926005796531204}), Array::of<double>({1}, {0.0}));
  EXPECT_EQ(log_.take(), "[I] L2 Norm: 0.013926 (tolerance: 0.013926) | PASSED\n");
}

TEST_F(ThresholdMetricsTest, ShapesAreCheckedFirst) {
  const Array row = Array::of<float>({1, 2}, {1, 2}), column = Array::of<float>({2, 1}, {1, 2});
  const OutputResult result = compare("l2", row, column);
  EXPECT_FALSE(result.passed);
  EXPECT_TRUE(result.figures.empty());
  EXPECT_TRUE(log_.has("Will not compare outputs of different shapes"));
  options_.check_shapes = false;
  EXPECT_TRUE(compare("l2", row, column).passed);
}

TEST_F(ThresholdMetricsTest, StringsHaveNoDistanceButAreEqualOrNot) {
  const Array a = Array::from_strings({2}, {"a", "b"});
  EXPECT_TRUE(compare("l2", a, a).passed);
  EXPECT_FALSE(compare("psnr", a, Array::from_strings({2}, {"a", "c"})).passed);
  EXPECT_FALSE(compare("snr", a, Array::of<float>({2}, {1, 2})).passed);
  EXPECT_TRUE(log_.has("Will not compare string with float32."));
}

TEST_F(ThresholdMetricsTest, SeveralMetricsShareOnePass) {
  const Array a = Array::of<float>({2}, {3, 4}), b = Array::of<float>({2}, {3, 3});
  PairStatistics statistics;
  statistics.wanted_sums = find_metric("l2")->sums | find_metric("snr")->sums;
  compare("l2", a, b, &statistics);
  ASSERT_TRUE(statistics.sums);
  EXPECT_EQ(statistics.sums->computed, statistics.wanted_sums);
  statistics.sums->squares_a = 100;  // snr uses this and does not compute it again
  EXPECT_NEAR(*compare("snr", a, b, &statistics).figures[0], 20, 1e-12);
}

TEST_F(ThresholdMetricsTest, FiguresAreJudgedWithoutTheOutputs) {
  const Metric& psnr = *find_metric("psnr");
  EXPECT_TRUE(psnr.judge({30.0}, {{}, {30.0}}));
  EXPECT_FALSE(psnr.judge({29.9}, {{}, {30.0}}));
  EXPECT_FALSE(psnr.judge({std::nan("")}, {{}, {30.0}}));
  EXPECT_FALSE(psnr.judge({}, {{}, {30.0}}));
  EXPECT_EQ(psnr.describe({kInfinity}, {{}, {30.0}}),
            "PSNR: inf dB (min required: 30 dB) | PASSED");
}

TEST_F(ThresholdMetricsTest, LpipsNeedsPython) {
  const auto function = make_function(*find_metric("perceptual_metrics"), options_);
  EXPECT_THROW(function->require(), Error);
  EXPECT_EQ(function->threshold("y").limits[0].value, 0.1);
  const Metric& lpips = *find_metric("perceptual_metrics");
  EXPECT_TRUE(lpips.judge({0.05}, {{}, {0.1}}));
  EXPECT_FALSE(lpips.judge({0.2}, {{}, {0.1}}));
  EXPECT_TRUE(lpips.judge({std::nullopt}, {{}, {0.1}})) << "could not be computed";
}

}  // namespace
}  // namespace polygraphy
