#include "polygraphy/facade/comparator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ranges>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "base/testdata/log_text.h"
#include "polygraphy/facade/tensors.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// y = factor * x.
class ScalingRunner : public Runner {
 public:
  ScalingRunner(std::string name, float factor) : Runner(std::move(name)), factor_(factor) {}
  ~ScalingRunner() override {
    if (active()) deactivate();
  }
  int activations = 0, inferences = 0;

 private:
  void activate_impl() override { ++activations; }
  void deactivate_impl() noexcept override {}
  Metadata input_metadata_impl() override { return {{"x", {DataType::kFloat32, DimList{2}, ""}}}; }
  Inference infer_impl(const ValueMap& feeds) override {
    ++inferences;
    const auto x = at(feeds, "x").tensor().as<float>();
    return {{{"y", Array::of<float>({2}, {factor_ * x[0], factor_ * x[1]})}}, 0.5};
  }

  float factor_;
};

ValueMap feed(float a, float b = 0) {
  return {{"x", Array::of<float>({2}, {a, b})}};
}

RunResults results_of(std::vector<std::vector<float>> values) {
  RunResults results;
  for (size_t i = 0; i < values.size(); ++i) {
    std::vector<ArrayMap> iterations;
    for (const float value : values[i]) iterations.push_back({{"y", full<float>({2}, value)}});
    results.add(std::move(iterations), "run" + std::to_string(i));
  }
  return results;
}

std::string failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Comparator, RunsEveryRunnerOnTheSameInputsAndLetsGoOfThem) {
  ScalingRunner once("once", 1), twice("twice", 2);
  const RunResults results =
      Comparator::run({once, twice}, {.data_loader = {feed(1, 2), feed(3, 4)}, .warm_up = 3});
  ASSERT_EQ(results.runners.size(), 2u);
  EXPECT_EQ(results.at("twice").size(), 2u);
  EXPECT_TRUE(
      bitwise_equal(at(results.at("twice")[1].outputs, "y"), Array::of<float>({2}, {6, 8})));
  EXPECT_EQ(results.at("once")[0].runtime, 0.5);
  EXPECT_EQ(twice.inferences, 5);
  EXPECT_EQ(twice.activations, 1);
  EXPECT_FALSE(once.active() || twice.active());
  EXPECT_THAT(failure([&] { results.at("thrice"); }),
              HasSubstr("Runner: thrice does not exist in this run."));
}

TEST(Comparator, TakesOwnedRunnersAndRandomInputs) {
  std::vector<std::unique_ptr<Runner>> runners;
  runners.push_back(std::make_unique<ScalingRunner>("a", 1.0F));
  DataLoaderOptions random;
  random.iterations = 3;
  const RunResults results = Comparator::run(runners, {.data_loader = random});
  EXPECT_EQ(results.at("a").size(), 3u);
  EXPECT_EQ(runners[0]->name(), "a");
}

TEST(Comparator, SharesRunners) {
  const auto runner = std::make_shared<ScalingRunner>("a", 1.0F);
  EXPECT_EQ(Comparator::run(Runners{runner}).at("a").size(), 1u);
  EXPECT_EQ(runner->inferences, 1);
  EXPECT_EQ(runner.use_count(), 1);
}

TEST(Comparator, ARunnerInUseIsAnError) {
  ScalingRunner one("one", 1);
  const ActiveRunner active(one);
  EXPECT_THAT(failure([&] { Comparator::run({one}); }), HasSubstr("'one' is already active"));
}

TEST(Comparator, AnySequenceOfFeedsIsADataLoader) {
  ScalingRunner one("one", 1);
  const auto firsts = [&](DataSource source) {
    std::vector<float> values;
    const RunResults results = Comparator::run({one}, {.data_loader = std::move(source)});
    for (const IterationResult& result : results.at("one")) {
      values.push_back(at(result.outputs, "y").as<float>()[0]);
    }
    return values;
  };
  EXPECT_THAT(firsts(std::vector{feed(1), feed(2)}), ElementsAre(1, 2));
  EXPECT_THAT(firsts({feed(7)}), ElementsAre(7));
  int made = 0;
  EXPECT_THAT(firsts(std::views::iota(3, 6) | std::views::transform([&](int value) {
                       ++made;
                       return feed(static_cast<float>(value));
                     })),
              ElementsAre(3, 4, 5));
  EXPECT_EQ(made, 3);
  EXPECT_THAT(firsts([i = 0]() mutable -> std::optional<ValueMap> {
                return i < 2 ? std::optional(feed(static_cast<float>(i++))) : std::nullopt;
              }),
              ElementsAre(0, 1));
}

TEST(Comparator, SavedInputsRunAgain) {
  const TemporaryFolder folder;
  ScalingRunner one("one", 1);
  Comparator::run({one}, {.data_loader = {feed(4)}, .save_inputs_path = folder / "in.json"});
  const RunResults results =
      Comparator::run({one}, {.data_loader = DataSource::files({folder / "in.json"})});
  EXPECT_EQ(at(results.at("one")[0].outputs, "y").as<float>()[0], 4);
}

TEST(Comparator, ComparesNeighboursWithTolerances) {
  const RunResults results = results_of({{1, 1}, {1, 1.5F}, {1, 1.5F}});
  const AccuracyResults accuracy = Comparator::compare_accuracy(results);
  EXPECT_FALSE(accuracy);
  ASSERT_EQ(accuracy.comparisons.size(), 1u);
  ASSERT_EQ(accuracy.comparisons[0].pairs.size(), 2u);
  EXPECT_EQ(accuracy.comparisons[0].pairs[1].runner1, "run2");
  EXPECT_EQ(accuracy.stats().matched, 1);
  EXPECT_EQ(accuracy.stats().mismatched, 1);
  EXPECT_EQ(accuracy.percentage(), 0.5);
  EXPECT_EQ(accuracy.percentage(1), 1);
  EXPECT_THAT(failure([&] { accuracy.stats(2); }), HasSubstr("No pair 2"));
  EXPECT_TRUE(Comparator::compare_accuracy(
      results, {.compare_func = CompareFunc::simple({.rtol = 0, .atol = 0.5})}));
}

TEST(Comparator, OptionsMayDifferByOutput) {
  RunResults results;
  results.add({{{"a", full<float>({1}, 1)}, {"b", full<float>({1}, 1)}}}, "first");
  results.add({{{"a", full<float>({1}, 1.2F)}, {"b", full<float>({1}, 1)}}}, "second");
  EXPECT_TRUE(Comparator::compare_accuracy(
      results, {.compare_func = CompareFunc::simple(
                    {.rtol = {{"a", 0.5}, {"", 0.0}}, .check_error_stat = "mean"})}));
  EXPECT_FALSE(Comparator::compare_accuracy(
      results, {.compare_func = CompareFunc::simple({.rtol = {{"b", 0.5}}})}));
}

TEST(Comparator, PairsOfChoiceAndStoppingEarly) {
  const RunResults results = results_of({{1, 1}, {2, 2}, {1, 1}});
  const AccuracyResults ends = Comparator::compare_accuracy(results, {.comparisons = {{0, 2}}});
  EXPECT_TRUE(ends);
  EXPECT_EQ(ends.comparisons[0].pairs[0].runner1, "run2");
  const AccuracyResults early = Comparator::compare_accuracy(results, {.fail_fast = true});
  EXPECT_FALSE(early);
  EXPECT_EQ(early.stats().total, 1);
  EXPECT_THAT(failure([&] { Comparator::compare_accuracy(results, {.comparisons = {{0, 3}}}); }),
              HasSubstr("the number of results is 3"));
}

TEST(Comparator, FunctionsOfTwoMetricsMatchWhenBothDo) {
  const RunResults same_angle = results_of({{1}, {2}});
  const auto only_cosine = CompareFunc::distance_metrics({.l2_tolerance = 100.0});
  EXPECT_TRUE(Comparator::compare_accuracy(same_angle, {.compare_func = only_cosine}));
  const AccuracyResults both =
      Comparator::compare_accuracy(same_angle, {.compare_func = CompareFunc::distance_metrics()});
  EXPECT_FALSE(both);
  EXPECT_EQ(both.comparisons.size(), 2u);
  EXPECT_EQ(both.percentage(), 0);
}

TEST(Comparator, EveryFunctionJudges) {
  const RunResults near = results_of({{1}, {1.001F}}), far = results_of({{1}, {-3}});
  for (const CompareFunc& function :
       {CompareFunc::simple({.rtol = 0.1}), CompareFunc::l2({.threshold = 0.1}),
        CompareFunc::cosine_similarity(), CompareFunc::psnr(), CompareFunc::snr(),
        CompareFunc::quality_metrics()}) {
    EXPECT_TRUE(Comparator::compare_accuracy(near, {.compare_func = function})) << function.name();
    EXPECT_FALSE(Comparator::compare_accuracy(far, {.compare_func = function})) << function.name();
  }
}

TEST(Comparator, MeansOverIterations) {
  const RunResults results = results_of({{1, 1}, {1, 2}});
  const auto at_most = [](double atol) {
    return CompareFunc::simple({.rtol = 0, .atol = atol, .check_error_stat = "max"});
  };
  EXPECT_TRUE(
      Comparator::compare_accuracy(results, {.compare_func = at_most(0.5), .check_average = true}));
  EXPECT_FALSE(
      Comparator::compare_accuracy(results, {.compare_func = at_most(0.4), .check_average = true}));
}

TEST(Comparator, AFunctionOfOnesOwn) {
  const RunResults results = results_of({{1, 5}, {2, -5}});
  const auto function = CompareFunc::custom("sign", [](const auto& a, const auto& b) {
    const float first = at(a.outputs, "y").template as<float>()[0];
    return OrderedMap<bool>{{"y", first * at(b.outputs, "y").template as<float>()[0] > 0}};
  });
  const AccuracyResults accuracy =
      Comparator::compare_accuracy(results, {.compare_func = function});
  EXPECT_EQ(accuracy.percentage(), 0.5);
}

TEST(Comparator, ResultsAndVerdictsAreFiles) {
  const TemporaryFolder folder;
  const RunResults results = results_of({{1}, {2}});
  results.save(folder / "results.json");
  const RunResults back = RunResults::load(folder / "results.json");
  EXPECT_TRUE(bitwise_equal(at(back.at("run1")[0].outputs, "y"), full<float>({2}, 2)));
  const AccuracyResults accuracy = Comparator::compare_accuracy(back);
  accuracy.save(folder / "accuracy.json");
  const AccuracyResults again = AccuracyResults::load(folder / "accuracy.json");
  EXPECT_FALSE(again);
  EXPECT_EQ(again.stats().mismatched, 1);
}

TEST(Comparator, Postprocesses) {
  RunResults results;
  results.add({{{"y", Array::of<float>({3}, {1, 9, 5})}, {"z", full<float>({1}, 1)}}});
  Comparator::postprocess(results, {{"y", PostprocessFunc::top_k(2)}});
  const ArrayMap& outputs = results.runners[0].second[0].outputs;
  EXPECT_TRUE(bitwise_equal(at(outputs, "y"), Array::of<int64_t>({2}, {1, 2})));
  EXPECT_EQ(at(outputs, "z").dtype(), DataType::kFloat32);
}

TEST(Comparator, Validates) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(Comparator::validate(results_of({{1}})));
  EXPECT_FALSE(Comparator::validate(results_of({{1}, {nan}})));
  EXPECT_TRUE(Comparator::validate(results_of({{inf}})));
  EXPECT_FALSE(Comparator::validate(results_of({{inf}}), {.check_inf = true}));
  EXPECT_TRUE(Comparator::validate(results_of({{nan}}), {.check_nan = false}));
}

TEST(Comparator, SaysWhatTheCommandLineSays) {
  std::vector<std::string> lines;
  Logger log([&](Severity, std::string_view text) { lines.emplace_back(text); });
  Comparator::compare_accuracy(results_of({{1}, {1}}), {.log = &log});
  EXPECT_THAT(lines.front(), HasSubstr("Accuracy Comparison | run0 vs. run1"));
  EXPECT_THAT(lines.back(), HasSubstr("Pass Rate: 100.00%"));
}

TEST(Comparator, IterationsThatOneRunLacksAreReported) {
  LogText log(Severity::kWarning);
  const RunResults results = results_of({{1, 2, 3}, {1, 2}});
  const auto same = CompareFunc::custom(
      "same", [](const IterationResult&, const IterationResult&) -> OrderedMap<bool> {
        return {{"y", true}};
      });
  for (const CompareFunc& function : {CompareFunc::simple(), same}) {
    const AccuracyResults found =
        Comparator::compare_accuracy(results, {.compare_func = function, .log = &log.log()});
    EXPECT_THAT(log.take(), HasSubstr("Only the first 2 iteration(s) -- present in all 2 streams"));
    EXPECT_TRUE(found);
    EXPECT_THAT(headline(found.verdict()),
                testing::EndsWith(": only the first 2 iterations are in all results"));
  }
}

TEST(Comparator, NothingToCompareIsNoPass) {
  EXPECT_THAT(failure([] { Comparator::compare_accuracy(results_of({{1}, {}})); }),
              HasSubstr("'run1' has no iterations"));
}

}  // namespace
}  // namespace polygraphy
