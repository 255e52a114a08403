#include "polygraphy/data/inputs/calibration_feeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace polygraphy {
namespace {

using testing::ElementsAre;

class ListedFeeds : public FeedSource {
 public:
  explicit ListedFeeds(std::vector<ValueMap> feeds) : feeds_(std::move(feeds)) {}
  std::optional<ValueMap> next(const Metadata&) override {
    if (given_ == feeds_.size()) return std::nullopt;
    return feeds_[given_++];
  }
  std::string place() const override { return "a list"; }

 private:
  std::vector<ValueMap> feeds_;
  size_t given_ = 0;
};

class CalibrationFeedsTest : public testing::Test {
 protected:
  CalibrationFeeds of(std::vector<ValueMap> feeds) {
    return {[feeds = std::move(feeds)] { return std::make_unique<ListedFeeds>(feeds); },
            CalibrationFeeds::Random::kWarned, log_};
  }
  // The error for a single sample.
  std::string refusal(const ValueMap& feed) {
    try {
      of({feed}).next(inputs_, true);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  std::vector<std::string> logged_;
  Logger log_{[this](Severity, std::string_view text) { logged_.emplace_back(text); }};
  const Metadata inputs_ = {{"x", {DataType::kFloat32, DimList{Dim(2)}, {}}}};
  const ValueMap good_ = {{"x", Array::of<float>({2}, {1, 2})}};
};

TEST_F(CalibrationFeedsTest, EachBuildBeginsAnew) {
  CalibrationFeeds feeds = of({good_, good_});
  for (int build = 0; build < 2; ++build) {
    EXPECT_TRUE(feeds.next(inputs_, true));
    EXPECT_TRUE(feeds.next(inputs_, false));
    EXPECT_FALSE(feeds.next(inputs_, false));
  }
}

TEST_F(CalibrationFeedsTest, SamplesAreOfTheNetworksInputs) {
  EXPECT_EQ(refusal(good_), "");
  EXPECT_EQ(refusal({}), "Calibration sample 1 (a list) has no input x");
  EXPECT_EQ(refusal({{"x", Value()}}),
            "Calibration sample 1 (a list): input x is not a tensor, but absent");
  EXPECT_EQ(refusal({{"x", Array::of<double>({2}, {1, 2})}}),
            "Calibration sample 1 (a list): input x is of float64, but the network is calibrated "
            "with float32");
  EXPECT_EQ(refusal({{"x", Array::of<float>({1, 2}, {1, 2})}}),
            "Calibration sample 1 (a list): input x has shape [1, 2], but the network is "
            "calibrated with [2]");
  EXPECT_THROW(of({}).next(inputs_, true), Error);
}

TEST_F(CalibrationFeedsTest, WhatIsIgnoredIsToldOnce) {
  ValueMap more = good_;
  more.set("other", Array::of<float>({1}, {1}));
  CalibrationFeeds feeds = of({more, more});
  feeds.next(inputs_, true);
  feeds.next(inputs_, false);
  EXPECT_THAT(logged_, ElementsAre("[W] Calibration sample 1 (a list): ignoring other, which is "
                                   "not an input of the network. Its inputs: ['x']"));
}

TEST_F(CalibrationFeedsTest, GeneratedOnesAreWarnedOfWhereNobodyExpectsThem) {
  for (const auto random :
       {CalibrationFeeds::Random::kExpected, CalibrationFeeds::Random::kWarned}) {
    logged_.clear();
    CalibrationFeeds feeds([this] { return generated_feeds({}, log_); }, random, log_);
    EXPECT_TRUE(feeds.next(inputs_, true));
    EXPECT_EQ(logged_.size(), random == CalibrationFeeds::Random::kWarned ? 1U : 0U);
  }
}

}  // namespace
}  // namespace polygraphy
