// The order in which runners run, and the use of their outputs.
#include "polygraphy/comparison/compare/run_and_compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "polygraphy/comparison/compare/testdata/comparator_test.h"
#include "polygraphy/data/results/saved_inputs.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

TEST_F(ComparatorTest, StreamingRunsAllRunnersSideBySide) {
  add("A", same);
  add("B", same);
  EXPECT_TRUE(run(2));
  EXPECT_EQ(diary_, "A+ B+ A B A B A- B- ");
  EXPECT_EQ(
      log_.take(),
      "[I] A                                   | Activating and starting inference\n"
      "[I] B                                   | Activating and starting inference\n"
      "[I] Accuracy Comparison | A vs. B\n"
      "[I]     simple | Comparing Output: 'y' (dtype=float32, shape=(1, 2)) with 'y' "
      "(dtype=float32, shape=(1, 2))\n"
      "[I]         PASSED | Output: 'y' | Difference is within tolerance (rel=1e-05, abs=1e-05)\n"
      "[I]     PASSED | simple | All outputs matched | Outputs: ['y']\n"
      "[I]     simple | Comparing Output: 'y' (dtype=float32, shape=(1, 2)) with 'y' "
      "(dtype=float32, shape=(1, 2))\n"
      "[I]         PASSED | Output: 'y' | Difference is within tolerance (rel=1e-05, abs=1e-05)\n"
      "[I]     PASSED | simple | All outputs matched | Outputs: ['y']\n"
      "[I] A                                   | Completed 2 iteration(s) in 4 ms | Average "
      "inference time: 2 ms.\n"
      "[I] B                                   | Completed 2 iteration(s) in 4 ms | Average "
      "inference time: 2 ms.\n"
      "[I] Accuracy Summary | A vs. B | Passed: 2/2 iterations | Pass Rate: 100.00%\n");
}

TEST_F(ComparatorTest, SequentialRunsOneRunnerAfterTheOther) {
  options_.sequential = true;
  add("A", same);
  add("B", same);
  EXPECT_TRUE(run(2));
  EXPECT_EQ(diary_, "A+ A A A- B+ B B B- ");
  const std::string text = log_.take();
  EXPECT_TRUE(text.starts_with(
      "[I] A                                   | Activating and starting inference\n"
      "[I] A                                   | Completed 2 iteration(s) in 4 ms | Average "
      "inference time: 2 ms.\n"
      "[I] B                                   | Activating and starting inference\n"
      "[I] B                                   | Completed 2 iteration(s) in 4 ms | Average "
      "inference time: 2 ms.\n"
      "[I] Accuracy Comparison | A vs. B\n"))
      << text;
  EXPECT_TRUE(text.ends_with(
      "[I] Accuracy Summary | A vs. B | Passed: 2/2 iterations | Pass Rate: 100.00%\n"));
}

TEST_F(ComparatorTest, MetadataIsPrintedOncePerText) {
  LogText log;
  for (const bool sequential : {false, true}) {
    options_.sequential = sequential;
    runners_.clear();
    add("A", same);
    CountingFeeds feeds(2);
    run_and_compare(runners_, feeds, options_, log.log());
    const std::string text = log.take();
    if (!sequential) {
      EXPECT_EQ(text,
                "[I] A                                   | Activating and starting inference\n"
                "[I] Streaming iteration 0\n"
                "    ---- Inference Input(s) ----\n"
                "    {x [dtype=float32, shape=(1, 2)]}\n"
                "[I] A                                  \n"
                "    ---- Inference Output(s) ----\n"
                "    {y [dtype=float32, shape=(1, 2)]}\n"
                "[I] Iteration: 0\n"
                "[I] Streaming iteration 1\n"
                "    ---- Inference Input(s) ----\n"
                "    {x [dtype=float32, shape=(1, 2)]}\n"
                "[I] Iteration: 1\n"
                "[I] A                                   | Completed 2 iteration(s) in 4 ms | "
                "Average inference time: 2 "
                "ms.\n");
    } else {
      // The output block has been printed for A already.
      EXPECT_EQ(text,
                "[I] A                                   | Activating and starting inference\n"
                "[I] A                                  \n"
                "    ---- Inference Input(s) ----\n"
                "    {x [dtype=float32, shape=(1, 2)]}\n"
                "[I] A                                   | Completed 2 iteration(s) in 4 ms | "
                "Average inference time: 2 "
                "ms.\n"
                "[I] Iteration: 0\n"
                "[I] Iteration: 1\n");
    }
  }
}

TEST_F(ComparatorTest, ValuesArePrintedToThoseWhoAsk) {
  LogText log(Severity::kExtraVerbose);
  add("A", same);
  CountingFeeds feeds(1);
  options_.sequential = true;
  run_and_compare(runners_, feeds, options_, log.log());
  EXPECT_TRUE(
      log.has("[X] A                                   | Feeding inputs:\n"
              "        {'x': array([[1., 2.]], dtype=float32)}\n"));
  EXPECT_TRUE(log.has(
      "[X] A                                   | Inference Time: 2.000 ms | Received outputs:\n"
      "        {'y': array([[1., 2.]], dtype=float32)}\n"));
  EXPECT_TRUE(log.has("[V] Loading inputs from data loader\n"));
  EXPECT_TRUE(log.has("[V] Successfully ran: ['A']\n"));
}

TEST_F(ComparatorTest, WarmUpRunsTheFirstFeedInEitherOrder) {
  options_.warm_up = 2;
  for (const bool sequential : {false, true}) {
    options_.sequential = sequential;
    runners_.clear();
    diary_.clear();
    add("A", same);
    EXPECT_TRUE(run(2));
    EXPECT_EQ(diary_, "A+ A A A A A- ");
    const std::string text = log_.take();
    EXPECT_NE(text.find("[I] A                                   | Running 2 warm-up run(s)\n"
                        "[I] A                                   | Finished 2 warm-up run(s)\n"),
              std::string::npos);
    EXPECT_NE(text.find("Completed 2 iteration(s) in 4 ms"), std::string::npos);
  }
}

TEST_F(ComparatorTest, AMismatchIsAResult) {
  add("A", same);
  add("B", off_by_one_from_3);
  EXPECT_FALSE(run(2));
  EXPECT_TRUE(
      log_.has("[E] Accuracy Summary | A vs. B | Passed: 1/2 iterations | Pass Rate: 50.00%\n"));
}

TEST_F(ComparatorTest, FailFastRunsNoFurtherIterationAndSavesWhatWasRun) {
  options_.fail_fast = true;
  options_.save_outputs = path("o.json");
  add("A", same);
  add("B", off_by_one_from_3);
  EXPECT_FALSE(run(5));
  EXPECT_EQ(diary_, "A+ B+ A B A B A- B- ");
  EXPECT_FALSE(log_.has("Accuracy Summary"));
  EXPECT_TRUE(log_.has("A                                   | Completed 2 iteration(s)"));
  EXPECT_EQ(saved_iterations("o.json"), 2u);
}

// Knows its verdict after two samples.
struct OfTwoSamples : ResultComparison {
  OutputResults compare(const IterationResult&, const IterationResult&) override {
    ++samples;
    return {};
  }
  bool averages() const override { return false; }
  Threshold threshold(const std::string&) override { return {}; }
  bool judges_together() const override { return true; }
  Verdict verdict(const std::string&, const std::string&) const override {
    return {.agreement = Agreement::kDiffers,
            .unit = "sample",
            .total = 5,
            .compared = samples,
            .off = samples,
            .samples = samples};
  }
  bool decided() const override { return samples >= 2; }

  int64_t samples = 0;
};

TEST_F(ComparatorTest, ADecidedVerdictOfAllSamplesEndsTheRun) {
  options_.compare_script = std::make_shared<OfTwoSamples>();
  add("A", same);
  add("B", same);
  CountingFeeds feeds(5);
  const Verdict verdict = run_and_compare(runners_, feeds, options_, log_.log());
  EXPECT_EQ(diary_, "A+ B+ A B A B A- B- ");
  EXPECT_EQ(headline(verdict),
            "2 samples of B and A differ by the comparison function; 3 others were not compared");
  EXPECT_FALSE(log_.has("Accuracy Summary"));
  EXPECT_FALSE(log_.has("compared no output"));
}

TEST_F(ComparatorTest, RunsWhoseOutputsAreSavedGoOn) {
  options_.compare_script = std::make_shared<OfTwoSamples>();
  options_.save_outputs = path("o.json");
  add("A", same);
  add("B", same);
  EXPECT_FALSE(run(5));
  EXPECT_EQ(saved_iterations("o.json"), 5u);
}

TEST_F(ComparatorTest, ValidationEndsAStreamBeforeTheComparison) {
  options_.validate = true;
  options_.save_inputs = path("inputs");
  options_.save_outputs = path("o.json");
  add("A", nan_from_3);
  add("B", nan_from_3);
  EXPECT_EQ(failure(5),
            "Output validation failed: iteration 1 contains invalid values (NaNs/Infs). See the "
            "errors above.");
  EXPECT_EQ(diary_, "A+ B+ A B A B A- B- ");
  EXPECT_TRUE(log_.has("A                                   | Iteration 1 | Validating output: y"));
  EXPECT_FALSE(
      log_.has("B                                   | Iteration 1 | Validating output: y"));
  // As in the original, what led there has been saved.
  EXPECT_EQ(saved_iterations("o.json"), 2u);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "inputs/0000000001.json"));
}

TEST_F(ComparatorTest, SequentialValidationComesAfterTheComparison) {
  options_.validate = options_.sequential = true;
  add("A", nan_from_3);
  EXPECT_FALSE(run(3));
  const std::string text = log_.take();
  EXPECT_NE(text.find("[I] Output Validation | Runners: ['A']\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("[E]     FAILED | Output Validation\n"));
}

TEST_F(ComparatorTest, NoIterationIsNoComparison) {
  add("A", same);
  add("B", same);
  EXPECT_TRUE(run(0));
  EXPECT_EQ(log_.take(),
            "[I] A                                   | Activating and starting inference\n"
            "[I] B                                   | Activating and starting inference\n");
  options_.sequential = true;
  options_.warm_up = 3;
  EXPECT_TRUE(run(0));
  EXPECT_EQ(log_.take(),
            "[I] A                                   | Activating and starting inference\n"
            "[W] Data loader did not yield any input data.\n"
            "[I] B                                   | Activating and starting inference\n");
}

TEST_F(ComparatorTest, OptionsThatMakeNoSenseAreFoundBeforeAnythingRuns) {
  add("A", same);
  options_.metric_options.texts["check_error_stat"] = {{"", "worst"}};
  for (const bool sequential : {false, true}) {
    options_.sequential = sequential;
    EXPECT_EQ(failure(1), "Invalid choice for check_error_stat: worst.");
    EXPECT_EQ(diary_, "");
  }
}

// S2.7: a later runner with other inputs.

TEST_F(ComparatorTest, FeedsThatDoNotFitAreMadeAgainInSequentialRunsOnly) {
  add("A", same);
  add("B", same).shape = {1, 3};
  EXPECT_TRUE(failure(1).starts_with(
      "Input tensor: x | Cannot reuse input data due to mismatch in shape or data type.\n"));

  options_.sequential = true;
  diary_.clear();
  log_.take();
  EXPECT_FALSE(run(1));  // outputs of other shapes
  EXPECT_EQ(diary_, "A+ A A- B+ B B- ");
  EXPECT_TRUE(log_.has(
      "[!] Input tensor: x | Cannot reuse input data due to mismatch in shape or data type.\n"));
  EXPECT_TRUE(
      log_.has("[W] Could not use the provided buffer for input: x. Attempting to reload it from "
               "the data loader"));

  CountingFeeds read_only(1, false);
  try {
    run_and_compare(runners_, read_only, options_, log_.log());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "Input tensor: x | Could not use the provided input and could not reload a "
                 "replacement from the data "
                 "loader.");
  }
}

TEST_F(ComparatorTest, FeedsComeFromTheLoaderOrFromFiles) {
  DataLoaderOptions loader;
  loader.iterations = 2;
  const auto generated = generated_feeds(loader, log_.log());
  const Metadata inputs{{"x", {DataType::kFloat32, DimList{3}, {}}}};
  const auto first = generated->next(inputs), second = generated->next(inputs);
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(generated->next(inputs));
  ASSERT_TRUE(generated->generates());
  EXPECT_TRUE(bitwise_equal(*generated->again(1, inputs)->find("x"), *second->find("x")));

  InputWriter writer(path("i.json"), log_.log());
  writer.add(flatten(*first));
  writer.add(flatten(*second));
  writer.finish();
  const auto saved = saved_feeds({path("i.json"), path("i.json")}, log_.log());
  EXPECT_FALSE(saved->generates());
  EXPECT_TRUE(bitwise_equal(saved->next({})->find("x")->tensor(), first->find("x")->tensor()));
  EXPECT_TRUE(bitwise_equal(saved->next({})->find("x")->tensor(), second->find("x")->tensor()));
  EXPECT_TRUE(saved->next({}));
  EXPECT_TRUE(saved->next({}));
  EXPECT_FALSE(saved->next({}));
}

TEST_F(ComparatorTest, FilesWithoutAnyInputsAreAnErrorNotAPass) {
  InputWriter(path("none.json"), log_.log()).finish();
  const auto saved = saved_feeds({path("none.json"), path("none.json")}, log_.log());
  try {
    saved->next({});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "No inputs in: " + path("none.json") + ", " + path("none.json"));
    EXPECT_THAT(error.hint(), testing::HasSubstr("a list of such objects"));
  }
}

}  // namespace
}  // namespace polygraphy
