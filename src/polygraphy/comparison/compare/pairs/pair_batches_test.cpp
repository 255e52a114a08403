#include "polygraphy/comparison/compare/pairs/pair_batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/testdata/log_text.h"
#include "base/thread_pool.h"

namespace polygraphy {
namespace {

constexpr std::string_view kModule = "test.py";
constexpr size_t kOutputs = 200;  // several batches

// Logs the value of the first output and fails on negative ones; throws for 13.
class FirstValue : public MetricFunction {
 public:
  explicit FirstValue(bool concurrent) : concurrent_(concurrent) {}
  OutputResult compare(const OutputPair& pair, Logger& log) override {
    EXPECT_TRUE(concurrent_ || std::this_thread::get_id() == caller_);
    const float value = pair.a.as<float>()[0];
    log.info(kModule, "always the same", Once::kYes);
    log.info(kModule, std::string(pair.name0) + ": " + std::to_string(value));
    if (value == 13) throw Error("refused");
    OutputResult result;
    result.passed = value >= 0;
    return result;
  }
  bool concurrent() const override { return concurrent_; }

 private:
  const bool concurrent_;
  const std::thread::id caller_ = std::this_thread::get_id();
};

class PairBatchesTest : public testing::Test {
 protected:
  PairBatchesTest() {
    for (IterationResult* result : {&result0_, &result1_}) {
      for (size_t i = 0; i < kOutputs; ++i) set(*result, i, 1);
    }
  }
  ~PairBatchesTest() override { set_parallelism(threads_); }

  static void set(IterationResult& result, size_t output, float value) {
    result.outputs.set("y" + std::to_string(output), Array::of<float>({1}, {value}));
  }

  // The log and the verdicts, 1 and 0.
  std::string judge(bool concurrent, int threads) {
    set_parallelism(threads);
    FirstValue function(concurrent);
    std::vector<ComparedPair> pairs;
    std::string verdicts;
    LogText log;
    try {
      PairBatches batches(*find_metric("simple"), function, result0_, result1_, 0, log.log());
      while (const auto result = batches.next(pairs)) verdicts += result->passed ? '1' : '0';
    } catch (const Error& error) {
      verdicts += error.what();
    }
    EXPECT_EQ(pairs.size(), std::min(verdicts.find_first_not_of("01"), verdicts.size()));
    return log.take() + verdicts;
  }

  const int threads_ = parallelism();
  IterationResult result0_, result1_;
};

TEST_F(PairBatchesTest, MessagesAndVerdictsComeInTheOrderOfTheOutputs) {
  set(result0_, 150, -1);
  const std::string text = judge(false, 1);
  EXPECT_TRUE(
      text.starts_with("[I] simple | Comparing Output: 'y0' (dtype=float32, shape=(1,)) "
                       "with 'y0' (dtype=float32, shape=(1,))\n"
                       "[I]     always the same\n"
                       "[I]     y0: 1.000000\n"
                       "[I] simple | Comparing Output: 'y1'"))
      << text;
  EXPECT_TRUE(text.ends_with("\n" + std::string(150, '1') + "0" + std::string(49, '1'))) << text;
  EXPECT_EQ(judge(true, 1), text);
  EXPECT_EQ(judge(true, 4), text);
  EXPECT_EQ(judge(false, 4), text);
}

TEST_F(PairBatchesTest, AnErrorComesAfterTheMessagesBeforeIt) {
  set(result0_, 70, 13);
  set(result0_, 75, 13);
  const std::string text = judge(false, 1);
  EXPECT_TRUE(text.ends_with("y70: 13.000000\n" + std::string(70, '1') + "refused")) << text;
  EXPECT_EQ(judge(true, 4), text);
}

TEST_F(PairBatchesTest, OutputsWithoutPartnerOnlyLog) {
  result1_.outputs = {};
  set(result1_, 5, 1);
  set(result1_, 7, 1);
  result1_.runner_name = "B";
  const std::string text = judge(false, 1);
  EXPECT_TRUE(text.ends_with("\n11")) << text;
  EXPECT_EQ(judge(true, 4), text);
}

TEST_F(PairBatchesTest, ArraysOnDemandAreReadOneAfterTheOther) {
  const auto caller = std::this_thread::get_id();
  std::string places;
  result1_.read = [&](size_t place) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    places += std::to_string(place) + " ";
    return Array::of<float>({1}, {1.0F});
  };
  set_parallelism(4);
  FirstValue function(true);
  std::vector<ComparedPair> pairs;
  LogText log;
  PairBatches batches(*find_metric("simple"), function, result0_, result1_, 0, log.log());
  batches.next(pairs);
  EXPECT_EQ(places, "0 ");
  batches.next(pairs);
  EXPECT_EQ(places, "0 1 ");
}

// Texts of messages cost time.
TEST_F(PairBatchesTest, NothingIsKeptForALogWithoutReader) {
  class Silent : public FirstValue {
   public:
    Silent() : FirstValue(true) {}
    OutputResult compare(const OutputPair&, Logger& log) override {
      EXPECT_FALSE(log.enabled(Severity::kError, kModule));
      return {};
    }
  } function;
  Logger nowhere;
  std::vector<ComparedPair> pairs;
  PairBatches batches(*find_metric("simple"), function, result0_, result1_, 0, nowhere);
  EXPECT_TRUE(batches.next(pairs));
}

}  // namespace
}  // namespace polygraphy
