// Results of earlier runs, compared with those of this one.
#include <gtest/gtest.h>

#include <filesystem>

#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/comparison/compare/testdata/comparator_test.h"

namespace polygraphy {
namespace {

TEST_F(ComparatorTest, SavedResultsAreRunsOfTheirOwn) {
  options_.save_outputs = path("o.json");
  add("A", same);
  EXPECT_TRUE(run(2));
  runners_.clear();
  log_.take();
  options_.save_outputs.clear();
  options_.load_outputs = {path("o.json"), path("o.json")};
  add("B", off_by_one_from_3);
  EXPECT_FALSE(run(2));
  EXPECT_TRUE(
      log_.has("[I] Accuracy Comparison | B vs. A\n[I] Accuracy Comparison | A vs. A (2)\n"));
  EXPECT_TRUE(log_.has(
      "[E] Accuracy Summary | B vs. A | Passed: 1/2 iterations | Pass Rate: 50.00%\n"
      "[I] Accuracy Summary | A vs. A (2) | Passed: 2/2 iterations | Pass Rate: 100.00%\n"));
}

// Runs that begin in the same second give their runners the same names.

TEST_F(ComparatorTest, RunnersOfOneNameStayApartInSavedResults) {
  for (const bool sequential : {false, true}) {
    options_ = {};
    options_.metrics = {find_metric("simple")};
    options_.sequential = sequential;
    options_.save_outputs = path("o.json");
    runners_.clear();
    add("A", same);
    run(1);
    runners_.clear();
    options_.save_outputs.clear();
    options_.load_outputs = {path("o.json"), path("o.json"), path("o.json")};
    options_.save_accuracy_results = path("accuracy.json");
    EXPECT_TRUE(run(0));
    const AccuracyResults saved = AccuracyResults::load(options_.save_accuracy_results);
    const auto& pairs = saved.comparisons.at(0).pairs;
    ASSERT_EQ(pairs.size(), 2u);
    EXPECT_EQ(pairs[0].runner0 + " vs. " + pairs[0].runner1, "A vs. A (2)");
    EXPECT_EQ(pairs[1].runner0 + " vs. " + pairs[1].runner1, "A (2) vs. A (3)");
  }
}

TEST_F(ComparatorTest, FoldersOfResultsAreReadInBothOrders) {
  for (const bool sequential : {false, true}) {
    options_ = {};
    options_.metrics = {find_metric("simple")};
    options_.sequential = sequential;
    options_.save_outputs = path(sequential ? "sequential" : "streaming");
    runners_.clear();
    add("A", same);
    EXPECT_TRUE(run(3));
    EXPECT_TRUE(std::filesystem::exists(options_.save_outputs + "/0000000002.json"));
    runners_.clear();
    options_.load_outputs = {options_.save_outputs, options_.save_outputs};
    options_.save_outputs.clear();
    EXPECT_TRUE(run(0));
    EXPECT_TRUE(
        log_.has("Accuracy Summary | A vs. A (2) | Passed: 3/3 iterations | Pass Rate: 100.00%\n"));
    log_.take();
  }
}

TEST_F(ComparatorTest, TheShortestStreamDecides) {
  options_.save_outputs = path("o.json");
  add("A", same);
  run(1);
  options_.save_outputs.clear();
  options_.load_outputs = {path("o.json")};
  log_.take();
  EXPECT_TRUE(run(3));
  EXPECT_TRUE(
      log_.has("[W] The provided streams have different numbers of iterations. Only the first 1 "
               "iteration(s) -- present in all 2 "
               "streams -- were compared; stream(s) at index [1] ran out first.\n"));
  // The runner had run one more by then.
  EXPECT_TRUE(log_.has("Completed 2 iteration(s)"));
}

TEST_F(ComparatorTest, ResultsWithoutIterationsAreNothingToCompareWith) {
  options_.save_outputs = path("o.json");
  add("A", same);
  run(1);
  options_.save_outputs.clear();
  options_.load_outputs = {path("o.json")};
  EXPECT_THROW(run(0), Error);
}

TEST_F(ComparatorTest, WithoutRunnersInputsPlayNoPart) {
  options_.load_outputs = {path("o.json")};
  save_results({{{"A", {{{{"y", Array::of<float>({1}, {1})}}, {}, "A"}}}}}, path("o.json"),
               log_.log());
  EXPECT_TRUE(run(1));
  EXPECT_FALSE(log_.has("No runners were specified"));
  options_.save_inputs = path("i.json");
  EXPECT_TRUE(run(1));
  EXPECT_TRUE(log_.has(
      "[W] No runners were specified, so inference will not be run and input-related options"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "i.json"));
}

}  // namespace
}  // namespace polygraphy
