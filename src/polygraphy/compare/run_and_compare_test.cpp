#include "polygraphy/compare/run_and_compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/log_text.h"
#include "polygraphy/compare/accuracy/accuracy_results.h"
#include "polygraphy/compare/metric.h"
#include "polygraphy/results/saved_inputs.h"
#include "polygraphy/results/saved_outputs.h"
#include "polygraphy/tensors/flat_names.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;

// Computes its output y from its input x in C++. It remembers what happens to it in a diary shared
// by all.
class FunctionRunner final : public Runner {
 public:
  using Function = std::function<float(float)>;
  FunctionRunner(std::string name, std::string& diary, Function function, Logger* log)
      : Runner(std::move(name), log), diary_(diary), function_(std::move(function)) {}
  ~FunctionRunner() override {
    if (active()) deactivate();
  }
  DimList shape{1, 2};
  ValueKind kind = ValueKind::kTensor;  // of x; of a sequence, it reads the first item

 private:
  void activate_impl() override { diary_ += name() + "+ "; }
  void deactivate_impl() noexcept override { diary_ += name() + "- "; }
  Metadata input_metadata_impl() override {
    return {{"x", {DataType::kFloat32, shape, {}, {}, kind}}};
  }
  Inference infer_impl(const ValueMap& feeds) override {
    diary_ += name() + " ";
    const Value& given = *feeds.find("x");
    const Array& x = (given.as_sequence() ? given.as_sequence()->front() : given).tensor();
    std::vector<float> y;
    for (const float value : x.as<float>()) y.push_back(function_(value));
    return {{{"y", Array::of<float>(x.shape(), y)}}, 0.002};
  }

  std::string& diary_;
  Function function_;
};

// Feeds x = [i + 1, i + 2] for iteration i.
class CountingFeeds : public FeedSource {
 public:
  explicit CountingFeeds(int64_t iterations, bool generates = true)
      : iterations_(iterations), generates_(generates) {}
  std::optional<ValueMap> next(const Metadata&) override {
    if (next_ == iterations_) return std::nullopt;
    return feed(static_cast<float>(next_++), {1, 2});
  }
  bool generates() const override { return generates_; }
  std::optional<ValueMap> again(int64_t iteration, const Metadata& inputs) override {
    if (!generates_) return std::nullopt;
    Shape shape;
    for (const Dim& dim : *inputs.at_index(0).second.shape) shape.push_back(dim.value());
    return feed(static_cast<float>(iteration), shape);
  }
  static ValueMap feed(float first, Shape shape) {
    std::vector<float> values;
    for (int64_t i = 0; i < element_count(shape); ++i)
      values.push_back(first + static_cast<float>(i + 1));
    return {{"x", Array::of<float>(std::move(shape), values)}};
  }

 private:
  int64_t iterations_, next_ = 0;
  bool generates_;
};

float same(float x) {
  return x;
}
float broken(float) {
  throw RunnerFailure("the runtime broke", "Use another one.");
}
float off_by_one_from_3(float x) {
  return x < 3 ? x : x + 1;
}
float nan_from_3(float x) {
  return x < 3 ? x : std::numeric_limits<float>::quiet_NaN();
}

class ComparatorTest : public testing::Test {
 protected:
  ComparatorTest() { options_.metrics = {find_metric("simple")}; }

  FunctionRunner& add(const char* name, FunctionRunner::Function function) {
    auto runner = std::make_unique<FunctionRunner>(name, diary_, std::move(function), &log_.log());
    FunctionRunner& reference = *runner;
    runners_.push_back(std::move(runner));
    return reference;
  }
  bool run(int64_t iterations) {
    CountingFeeds feeds(iterations);
    return run_and_compare(runners_, feeds, options_, log_.log());
  }
  std::string failure(int64_t iterations) {
    try {
      run(iterations);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  std::string path(const char* name) const { return folder_ / name; }
  // Each line's text from where it starts to differ between runs: the part before the first figure.
  size_t saved_iterations(const char* name) {
    LogText quiet;
    size_t count = 0;
    OutputReader reader(path(name), quiet.log());
    while (reader.next()) ++count;
    return count;
  }

  const TemporaryFolder folder_;
  LogText log_{Severity::kStart};
  std::string diary_;
  Runners runners_;
  CompareOptions options_;
};

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
    EXPECT_EQ(
        hint(true),
        "Use another one.\nInputs were generated with 1 for the open dimensions of the model, "
        "which may need more. They had these shapes: x:[1,2].");
    EXPECT_EQ(hint(false), "Use another one.") << "these inputs are the user's";
    runner.shape = {1, Dim("L")};
    EXPECT_EQ(hint(true), "Use another one.") << "2 is no made-up dimension";
  }
}

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

TEST_F(ComparatorTest, RunnersAreInactiveAfterAnError) {
  add("A", same);
  add("B", [](float) -> float { throw Error("runtime broke"); });
  options_.save_outputs = path("o.json");
  EXPECT_EQ(failure(2), "runtime broke");
  EXPECT_EQ(diary_, "A+ B+ A B A- B- ");
  EXPECT_EQ(saved_iterations("o.json"), 0u);
  diary_.clear();
  options_.sequential = true;
  EXPECT_EQ(failure(2), "runtime broke");
  EXPECT_EQ(diary_, "A+ A A A- B+ B B- ");
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
    EXPECT_FALSE(run_and_compare(runners_, feeds, options_, log_.log()));
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
  }
}

TEST_F(ComparatorTest, InterruptionLeavesTheOldFile) {
  options_.save_outputs = path("o.json");
  add("A", same);
  run(1);
  std::atomic<bool> stop = false;
  options_.cancel = stop;
  options_.progress = [&](int64_t done, std::optional<int64_t>) { stop = done == 2; };
  diary_.clear();
  EXPECT_THROW(run(5), Interrupted);
  EXPECT_EQ(diary_, "A+ A A A- ");
  EXPECT_EQ(saved_iterations("o.json"), 1u);
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
    EXPECT_EQ(error.what(), "No inputs at all in: " + path("none.json") + ", " + path("none.json"));
    EXPECT_THAT(error.hint(), testing::HasSubstr("a list of at least one"));
  }
}

}  // namespace
}  // namespace polygraphy
