// Each rule has a case that its constant decides: it fails where the constant moves by half, down
// or up.
#include "polygraphy/diagnosis/locate/judging/rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/arrays/convert.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/diagnosis/locate/judging/accumulation.h"
#include "polygraphy/diagnosis/locate/judging/judged_error.h"
#include "polygraphy/diagnosis/locate/judging/quantized_levels.h"
#include "polygraphy/diagnosis/locate/judging/reduction_length.h"
#include "polygraphy/diagnosis/locate/judging/too_coarse.h"
#include "polygraphy/diagnosis/locate/judging/worst_group.h"
#include "polygraphy/diagnosis/locate/model_outputs.h"
#include "polygraphy/diagnosis/locate/noise_floor.h"
#include "polygraphy/diagnosis/locate/proof.h"
#include "polygraphy/models/noise/approximation.h"

namespace polygraphy {
namespace {

constexpr double kUsual = 3;  // the threshold
constexpr NumberFormat kHalf = NumberFormat::kFloat16;

Array floats(const std::vector<float>& numbers) {
  return Array::of<float>({static_cast<int64_t>(numbers.size())}, numbers);
}
Array ones(size_t count, size_t moved = 0, float by = 0) {
  std::vector<float> numbers(count, 1);
  for (size_t i = 0; i < moved; ++i) numbers[i] += by;
  return floats(numbers);
}

// Of `count` ones in float16, of which `moved` are off.
JudgedError judged(size_t count, size_t moved, float by, Noise noise = {}) {
  return judged_error(ones(count), ones(count, moved, by), kHalf, noise, {});
}

// A noise of each element.
Noise noise_of(size_t count, float each) {
  Noise noise;
  add_noise(noise, ones(count), ones(count, count, each), NumberFormat::kFloat32);
  return noise;
}

double by_elements(size_t count, size_t moved, float by, float noise) {
  return ratio_of_elements(ones(count), ones(count, moved, by), noise_of(count, noise), 0);
}

TEST(Rules, OfFewEvaluations) {
  EXPECT_LE(by_elements(50, 50, 0x1.ep-10f, 0x1p-10f), 1);
  EXPECT_GT(by_elements(50, 50, 0x1.4p-9f, 0x1p-10f), 1);
  const auto overflows = [](float number) {
    const float infinity = std::numeric_limits<float>::infinity();
    return judged_error(floats({number}), floats({infinity}), kHalf, {.largest = 100}, {}).ratio <
           2;
  };
  EXPECT_TRUE(overflows(65350)) << "near the end of the range";
  EXPECT_FALSE(overflows(65250));
}

TEST(Rules, OfOneElement) {
  const Noise noise{.norm = 0.01, .largest = 0.01};
  EXPECT_LE(judged(1, 1, 0.08f, noise).ratio, kUsual);
  EXPECT_GT(judged(1, 1, 0.1f, noise).ratio, kUsual);
}

TEST(Rules, OfTheLargestError) {
  const Noise noise{.norm = 1, .largest = 0.01};
  EXPECT_LE(judged(100, 1, 0.05f, noise).ratio, kUsual);
  EXPECT_GT(judged(100, 1, 0.07f, noise).ratio, kUsual);
}

TEST(Rules, OfRounding) {
  EXPECT_LE(judged(1000, 1000, 0x1p-11f).ratio, kUsual) << "one rounding";
  EXPECT_GT(judged(1000, 1000, 1.2f * 0x1p-11f).ratio, kUsual);
  const auto units = [](float count) {
    return judged_error(ones(1000), ones(1000, 1000, count * 0x1p-24f), NumberFormat::kFloat32, {},
                        {})
        .ratio;
  };
  EXPECT_LE(units(26), kUsual);
  EXPECT_GT(units(28), kUsual);
}

TEST(Rules, OfSums) {
  EXPECT_EQ(error_of_sums({.sum_length = 400}), 5);
  EXPECT_EQ(error_of_sums({.sum_length = 16}), 1);
  const auto model = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 8, opset_import: ["": 17]> g (float[1, 1, 9, 9] x, float[1, 1, 3, 3] w) =>
      (float[1, 1, 7, 7] y) { y = Conv(x, w) })");
  const Shape x = {1, 1, 9, 9}, w = {1, 1, 3, 3};
  EXPECT_EQ(algorithm_error(*model.graph->nodes().front(), {&x, &w}), 4);
}

TEST(Rules, OfTheRange) {
  const auto ratio = [](float observed) {
    const Noise noise{.norm = 1e-3, .largest = 1e-3};
    return judged_error(floats({-1e9f, 1}), floats({observed, 1}), kHalf, noise, {}).ratio;
  };
  EXPECT_EQ(ratio(-65472), 1);  // a step
  EXPECT_GT(ratio(-40000), 100);
}

TEST(Rules, OfElements) {
  EXPECT_GT(by_elements(300, 3, 1, 0.001f), 0) << "1 %";
  EXPECT_EQ(by_elements(300, 2, 1, 0.001f), 0);
  EXPECT_GT(by_elements(50, 2, 1, 0.001f), 0);
  EXPECT_EQ(by_elements(50, 1, 1, 0.001f), 0) << "one alone";
  // In units of 2^-11, of which the floor is 0.35.
  EXPECT_LE(judged(1000, 1000, 2.7f * 0x1p-11f, noise_of(1000, 0)).by_element, 1);
  EXPECT_GT(judged(1000, 1000, 3 * 0x1p-11f, noise_of(1000, 0)).by_element, 1);
}

double of_group(size_t size, float off, float noise) {
  const auto shaped = [&](const Array& array) {
    return array.reshaped({2, static_cast<int64_t>(size)});
  };
  return worst_group(shaped(ones(2 * size)), shaped(ones(2 * size, size, off)),
                     noise_of(2 * size, noise), NumberFormat::kFloat32)
      .ratio;
}

TEST(Rules, OfGroups) {
  EXPECT_EQ(of_group(8, 0.09f, 0x1p-10f), 0);
  EXPECT_GT(of_group(8, 0.11f, 0x1p-10f), 0);
  EXPECT_EQ(of_group(7, 0.11f, 0x1p-10f), 0);
  EXPECT_NEAR(of_group(8, 0.25f, 0x1p-10f), 128, 1) << "twice the noise";
  EXPECT_NEAR(of_group(8, 0.25f, 0), 0x1p19, 0x1p17) << "eight roundings";
  const WholeModel model(
      graphsurgeon::parse_onnx_text(
          R"(<ir_version: 8, opset_import: ["": 17]> g (float[2] x) => (float[2] y) { y = Abs(x) })"),
      {});
  EXPECT_FALSE(group_is_off(model, "y", 8, kUsual));
  EXPECT_TRUE(group_is_off(model, "y", 10, kUsual));
}

// Levels of 8 bits, or of 16, on both sides of a tie that the number is so far from.
bool is_tie(const std::string& type, float level, float distance, float relative = 0) {
  const auto model = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 10, opset_import: ["": 21]> g (float[1] x) => ()" + type +
      R"([1] y) <float s = {1}, )" + type + R"( z = {0}> { y = QuantizeLinear(x, s, z) })");
  const Array x = floats({level + 0.5f - distance}), scale = Array::of<float>({}, {1});
  const auto levels = [&](float number) {
    return convert(floats({number}), type == "uint8" ? DataType::kUint8 : DataType::kUint16);
  };
  const Array zero = levels(0).reshaped({});
  const std::vector<StepInput> inputs = {
      {.values = &x, .relative = relative}, {.values = &scale}, {.values = &zero}};
  const auto flips =
      count_level_flips(*model.graph->nodes().front(), 0, inputs, levels(level), levels(level + 1));
  return flips && flips->unexplained == 0;
}

TEST(Rules, OfLevels) {
  EXPECT_TRUE(is_tie("uint8", 10, 200 * 0x1p-20f));
  EXPECT_FALSE(is_tie("uint8", 10, 300 * 0x1p-20f));
  EXPECT_TRUE(is_tie("uint16", 1000, 0.0008f)) << "relative to the quotient";
  EXPECT_FALSE(is_tie("uint16", 1000, 0.0012f));
  EXPECT_TRUE(is_tie("uint8", 10, 0.2f, 0x1p-11f)) << "both factors are rounded";
  EXPECT_FALSE(is_tie("uint8", 10, 0.3f, 0x1p-11f));
}

TEST(Rules, OfWholeNumbersNearTies) {
  const Array zeros = Array::zeros(DataType::kInt64, {10000});
  Array moved = zeros.clone();
  auto* numbers = reinterpret_cast<int64_t*>(moved.mutable_data());
  for (size_t i = 0; i < 100; ++i) numbers[i] = 1;
  const JudgedError judged =
      judged_error(zeros, moved, NumberFormat::kFloat32, {}, {.counts_floats = true});
  EXPECT_NEAR(judged.ratio, 1, 0.1) << "1 %";
}

TEST(Rules, OfCoarseFormats) {
  const WholeModel model(
      graphsurgeon::parse_onnx_text(
          R"(<ir_version: 8, opset_import: ["": 17]> g (float[2] x) => (float[2] y) { y = Abs(x) })"),
      {});
  const auto accepts = [&](double error) {
    const JudgedError judged{.error = {.elements = 1,
                                       .reference_norm = 1,
                                       .norm = error,
                                       .largest = error,
                                       .exact = false},
                             .noise_norm = 1};
    return too_coarse(model, "y", judged, kHalf, kUsual).accepted;
  };
  EXPECT_TRUE(accepts(0.09));
  EXPECT_FALSE(accepts(0.11));
}

TEST(Rules, OfApproximatedFunctions) {
  const WholeModel model(
      graphsurgeon::parse_onnx_text(
          R"(<ir_version: 8, opset_import: ["": 17]> g (float[2] x) => (float[2] y) { y = Sigmoid(x) })"),
      {});
  const double of_one = approximation_of(*model.model().graph->nodes().front()).of_one;
  const auto decides = [&](double error) {
    const JudgedError judged{.error = {.elements = 1,
                                       .reference_norm = 1,
                                       .norm = error,
                                       .largest = error,
                                       .exact = false},
                             .noise_norm = 1};
    return too_coarse(model, "y", judged, kHalf, kUsual).reason.empty();
  };
  EXPECT_TRUE(decides(1.9 * kUsual * of_one));
  EXPECT_FALSE(decides(2.1 * kUsual * of_one));
}

using Numbers = std::function<float(int run)>;  // from run 0 on

// An engine with one output of one number.
class Scripted : public Runner {
 public:
  Scripted(const std::string& name, const Numbers& numbers, int& runs)
      : Runner(name), numbers_(numbers), runs_(runs) {}

 private:
  void activate_impl() override {}
  void deactivate_impl() noexcept override {}
  Metadata input_metadata_impl() override { return {{"x", info_of(floats({1}))}}; }
  Inference infer_impl(const ValueMap&) override {
    return {.outputs = {{"y", Value(floats({numbers_(runs_++)}))}}};
  }

  const Numbers& numbers_;
  int& runs_;  // of all runners of this name
};

class ScriptedEngines : public RunnerFactory {
 public:
  ScriptedEngines(std::map<std::string, Numbers> engines, Logger& log)
      : RunnerFactory({}, log), engines_(std::move(engines)) {}
  std::shared_ptr<Runner> make(const RunnerSpec& spec, const ModelSource&, Logger&) override {
    return std::make_shared<Scripted>(spec.name, engines_.at(spec.name), runs_[spec.name]);
  }

 private:
  const std::map<std::string, Numbers> engines_;
  std::map<std::string, int> runs_;
};

class OneFeed : public FeedSource {
 public:
  std::optional<ValueMap> next(const Metadata&) override {
    if (std::exchange(given_, true)) return std::nullopt;
    return ValueMap{{"x", Value(floats({1}))}};
  }

 private:
  bool given_ = false;
};

// A result of 1.01 in the place of 1, behind a Floor. `noise`: of run 0, which is exact, of the
// usual evaluations 1 to 3, and of those among ties.
bool is_a_tie(const Numbers& noise) {
  const auto model = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 8, opset_import: ["": 17]> g (float[1] x) => (float[1] y)
      { a = Floor(x) y = Abs(a) })");
  Logger log;
  ScriptedEngines engines({{"noise", noise}}, log);
  NoiseFloorJob job{.model = {.path = "network", .model = &model}};
  job.noise.name = "noise";
  job.make_feeds = [] { return std::make_unique<OneFeed>(); };
  job.format = NumberFormat::kFloat32;
  const auto result = [](const std::string& runner, float number) {
    return IterationResult{
        .outputs = {{"y", floats({number})}}, .runtime = {}, .runner_name = runner};
  };
  return noise_floor(job, engines, log)
      ->compare(result("reference", 1), result("target", 1.01f))
      .front()
      .second.passed;
}

TEST(Rules, OfTies) {
  const auto at = [](int flipped, float by = 0.01f) {
    return is_a_tie([=](int run) { return run == flipped ? 1 + by : 1; });
  };
  EXPECT_TRUE(at(4 + 11)) << "the last of twelve";
  EXPECT_FALSE(at(4 + 12));
  // Of one element, a third of the noise is found (OfOneElement).
  EXPECT_TRUE(at(4, 0.01f / 1.9f / 3));
  EXPECT_FALSE(at(4, 0.01f / 2.1f / 3)) << "more than twice the noise";
}

TEST(Rules, OfRepetitions) {
  const auto model = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 8, opset_import: ["": 17]> g (float[1] x) => (float[1] y) { y = Abs(x) })");
  const auto varies = [&](int wrong) {
    const Numbers right = [](int) { return 1; };
    Logger log;
    ScriptedEngines engines({{"reference", right},
                             {"target", [=](int run) { return run == wrong ? 2 : 1; }},
                             {"noise", right}},
                            log);
    LocateJob job{.model = {.path = "network", .model = &model},
                  .reference = RunnerSpec{.backend = "onnxrt", .name = "reference"},
                  .target = RunnerSpec{.backend = "onnxrt", .library = "other", .name = "target"}};
    const LocateRun run(job, engines, log);
    const WholeModel whole(graphsurgeon::copy(model), {});
    const std::vector<ValueMap> feeds = {{{"x", Value(floats({1}))}}};
    return !ModelOutputs(run, whole, feeds, log).variation({}).empty();
  };
  EXPECT_TRUE(varies(3)) << "the third after the first";
  EXPECT_FALSE(varies(4));
}

// The second session has 1.1 in the place of 1: whether it runs, after one with marked tensors.
TEST(Rules, OfSessions) {
  const auto model = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 8, opset_import: ["": 17]> g (float[1] x) => (float[1] y) { y = Abs(x) })");
  const auto runs_again = [&](NumberFormat format, float marked) {
    Logger log;
    ScriptedEngines engines({{"target", [](int run) { return run < 2 ? 1 : 1.1f; }}}, log);
    LocateJob job{.model = {.path = "network", .model = &model},
                  .reference = RunnerSpec{.backend = "onnxrt", .name = "reference"},
                  .target = RunnerSpec{.backend = "onnxrt", .name = "target"},
                  .format = format};
    const LocateRun run(job, engines, log);
    const WholeModel whole(graphsurgeon::copy(model), {});
    const std::vector<ValueMap> feeds = {{{"x", Value(floats({1}))}}};
    ModelOutputs outputs(run, whole, feeds, log);
    EXPECT_TRUE(outputs.differing().empty());
    outputs.read_marked({{{"y", floats({marked})}}});
    return outputs.run_second_session();
  };
  EXPECT_FALSE(runs_again(NumberFormat::kFloat32, 1 + 0.9f * 0x1p-12f));
  EXPECT_TRUE(runs_again(NumberFormat::kFloat32, 1 + 1.1f * 0x1p-12f));
  EXPECT_FALSE(runs_again(NumberFormat::kBfloat16, 1 + 0.9f * 0x1p-4f));
  EXPECT_TRUE(runs_again(NumberFormat::kBfloat16, 1 + 1.1f * 0x1p-4f));
}

TEST(Rules, OfProofs) {
  EXPECT_TRUE(explains(1, 2.9));
  EXPECT_FALSE(explains(1, 3.1));
}

}  // namespace
}  // namespace polygraphy
