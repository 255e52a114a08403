// Results of a run when a runner fails, or the user interrupts it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <string>

#include "base/progress.h"
#include "polygraphy/comparison/compare/accuracy/accuracy_results.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/comparison/compare/testdata/comparator_test.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

TEST_F(ComparatorTest, AFailureOnMadeUpShapesShowsThem) {
  const auto hint = [&](bool generated) {
    CountingFeeds feeds(1, generated);
    try {
      run_and_compare(runners_, feeds, options_, log_.log());
    } catch (const Error& error) {
      return error.hint();
    }
    return std::string("no error");
  };
  FunctionRunner& runner = add("A", broken);
  for (const bool sequential : {false, true}) {
    options_.sequential = sequential;
    runner.shape = {Dim("N"), 2};
    EXPECT_EQ(hint(true),
              "Use another one.\nThe generated inputs have size 1 in dynamic dimensions, but the "
              "model may need more. Their shapes: x:[1,2].");
    EXPECT_EQ(hint(false), "Use another one.") << "these inputs are the user's";
    runner.shape = {1, Dim("L")};
    EXPECT_EQ(hint(true), "Use another one.") << "2 is no made-up dimension";
  }
}

TEST_F(ComparatorTest, RunnersAreInactiveAfterAnError) {
  add("A", same);
  add("B", [](float) -> float { throw Error("runtime broke"); });
  options_.save_outputs = path("o.json");
  EXPECT_EQ(failure(2), "runtime broke");
  EXPECT_EQ(diary_, "A+ B+ A B A- B- ");
  diary_.clear();
  options_.sequential = true;
  EXPECT_EQ(failure(2), "runtime broke");
  EXPECT_EQ(diary_, "A+ A A A- B+ B B- ");
}

// Results of an earlier run are worth more than a file without any.
TEST_F(ComparatorTest, WhereNothingWasComputedTheOldFileStays) {
  add("A", broken);
  for (const bool sequential : {false, true}) {
    options_.sequential = sequential;
    options_.save_outputs = path("o.json");
    std::ofstream(options_.save_outputs) << "old";
    failure(2);
    std::ifstream file(options_.save_outputs);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "old") << sequential;
  }
}

TEST_F(ComparatorTest, WhereNoInputCameTheOldFileStays) {
  class NoFeeds : public FeedSource {
   public:
    std::optional<ValueMap> next(const Metadata&) override { throw Error("a shape is wrong"); }
  };
  add("A", same);
  for (const bool sequential : {false, true}) {
    options_.sequential = sequential;
    options_.save_inputs = path("i.json");
    std::ofstream(options_.save_inputs) << "old";
    NoFeeds feeds;
    EXPECT_THROW(run_and_compare(runners_, feeds, options_, log_.log()), Error);
    std::ifstream file(options_.save_inputs);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "old") << sequential;
  }
}

float breaks_at_3(float x) {
  if (x >= 3) throw RunnerFailure("B | runtime broke", "Use another one.");
  return x;
}

TEST_F(ComparatorTest, ARunnerThatFailsIsLeftOutAndTheOthersGoOn) {
  options_.save_outputs = path("o.json");
  options_.save_accuracy_results = path("a.json");
  for (const bool sequential : {false, true}) {
    options_.sequential = sequential;
    runners_.clear();
    diary_.clear();
    add("A", same);
    add("B", breaks_at_3);
    add("C", same);
    EXPECT_FALSE(run(3));
    EXPECT_EQ(diary_, sequential ? "A+ A A A A- B+ B B B- C+ C C C C- "
                                 : "A+ B+ C+ A B C A B B- C A C A- C- ");
    const std::string text = log_.take();
    EXPECT_THAT(text, HasSubstr("[E] B                                   | Failed in iteration 1: "
                                "runtime broke\n    Use another one.\n"));
    EXPECT_THAT(text, HasSubstr("Accuracy Summary | A vs. B | Passed: 1/1 iterations"));
    EXPECT_THAT(text, HasSubstr("Accuracy Summary | B vs. C | Passed: 1/1 iterations"));
    EXPECT_THAT(text, HasSubstr("Accuracy Summary | A vs. C | Passed: 2/2 iterations"));
    EXPECT_THAT(text, HasSubstr("[E] Failed Runners: ['B'] | "));
    LogText quiet;
    const RunResults saved = load_results(path("o.json"), quiet.log());
    std::string counts;
    for (const auto& [name, results] : saved.runners)
      counts += name + std::to_string(results.size()) + " ";
    EXPECT_EQ(counts, "A3 B1 C3 ");
    counts.clear();
    const AccuracyResults judged = load_accuracy_results(path("a.json"), quiet.log());
    for (const JudgedPair& pair : judged.comparisons.front().pairs)
      counts += pair.runner0 + pair.runner1 + std::to_string(pair.iterations.size()) + " ";
    EXPECT_EQ(counts, "AB1 BC1 AC2 ");
  }
}

class SequenceFeeds : public FeedSource {
 public:
  std::optional<ValueMap> next(const Metadata&) override {
    if (std::exchange(done_, true)) return std::nullopt;
    return ValueMap{{"x", Value::Sequence{Array::of<float>({2}, {1, 2})}}};
  }

 private:
  bool done_ = false;
};

TEST_F(ComparatorTest, ARunnerThatTakesATensorFailsOnASequence) {
  for (const bool sequential : {false, true}) {
    options_.sequential = sequential;
    runners_.clear();
    for (const char* name : {"A", "B", "C"}) {
      add(name, same).kind = *name == 'B' ? ValueKind::kTensor : ValueKind::kSequence;
    }
    SequenceFeeds feeds;
    const Verdict verdict = run_and_compare(runners_, feeds, options_, log_.log());
    EXPECT_EQ(verdict.agreement, Agreement::kFailed);
    const std::string text = log_.take();
    EXPECT_THAT(text, HasSubstr("[E] B                                   | Failed in iteration 0: "
                                "Input tensor: x | Received unexpected kind: sequence."));
    EXPECT_THAT(text, HasSubstr("Accuracy Summary | A vs. C | Passed: 1/1 iterations"));
  }
}

TEST_F(ComparatorTest, TheFailureOfTheLastRunnerIsTheRuns) {
  for (const bool sequential : {false, true}) {
    options_.sequential = sequential;
    runners_.clear();
    add("B", breaks_at_3);
    EXPECT_EQ(failure(3), "B | runtime broke");
    add("A", same);
    options_.fail_fast = true;
    EXPECT_EQ(failure(3), "B | runtime broke");
    options_.fail_fast = false;
    options_.ends_run = [](const Error& error) { return error.hint() == "Use another one."; };
    EXPECT_EQ(failure(3), "B | runtime broke");
    options_.ends_run = {};
  }
}

TEST_F(ComparatorTest, InterruptionLeavesTheOldFile) {
  options_.save_outputs = path("o.json");
  add("A", same);
  run(1);
  std::atomic<bool> stop = false;
  options_.cancel = stop;
  const ProgressWatch watch(
      [&](std::span<const Progress> phases) { stop = !phases.empty() && phases[0].done == 2; });
  diary_.clear();
  EXPECT_THROW(run(5), Interrupted);
  EXPECT_EQ(diary_, "A+ A A A- ");
  EXPECT_EQ(saved_iterations("o.json"), 1u);
}

}  // namespace
}  // namespace polygraphy
