// Models that round, on ONNX Runtime.
#include "polygraphy/models/noise/noisy_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <vector>

#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/models/noise/rounding.h"
#include "polygraphy/models/noise/tensor_error.h"
#include "polygraphy/runtimes/backend/bundled_runtime.h"
#include "polygraphy/runtimes/backend/instance.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using ::testing::AnyOf;
using ::testing::Each;

PluginPaths built_paths() {
  PluginPaths paths;
  paths.plugin_dirs = {PG_BINARY_DIR "/lib/polygraphy/backends"};
  paths.bundled = {PG_BINARY_DIR "/lib/polygraphy/engines"};
  return paths;
}

Model parse(const std::string& body, int opset = 19) {
  return graphsurgeon::parse_onnx_text(
      ("<ir_version: 9, opset_import: [\"\": " + std::to_string(opset) +
       "]> g (float[6] x) => (float[6] y) " + body)
          .c_str());
}

class Runs {
 public:
  Runs() : runtime_(built_paths(), log_) {}
  Array run(const Model& model, const Array& x, int times = 1) {
    const auto session = runtime_.load(model);
    Array result;
    for (int i = 0; i < times; ++i)
      result = run_model(*session, {{"x", Value(x)}}).at_index(0).second.tensor();
    return result.clone();
  }

 private:
  Logger log_;
  BundledRuntime runtime_;
};

const Array& sample() {
  static const Array values =
      Array::of<float>({6}, {0.1f, -3.14159f, 1234.567f, 0.0f, 1e-3f, 7.0f});
  return values;
}

// Up to version 3, a constant has to be an input, which those of rounding are not.
TEST(NoisyModel, OldModelsStayValid) {
  const Model model = graphsurgeon::parse_onnx_text(R"(<ir_version: 3, opset_import: ["": 8]>
    g (float[6] x, float[1] w) => (float[6] y) <float[1] w = {2}> { a = Add(x, w) y = Sin(a) })");
  const Model noisy = noisy_model(model, {});
  graphsurgeon::check_model(noisy, {.shapes = true});
  EXPECT_EQ(noisy.graph->inputs().size(), 1u);
  EXPECT_EQ(model.graph->inputs().size(), 2u);
}

TEST(NoisyModel, ResultsAreRoundedToNearest) {
  Runs runs;
  const Model model = parse("<float[6] o = {1, 1, 1, 1, 1, 1}> { y = Mul(x, o) }");
  for (const NumberFormat format :
       {NumberFormat::kBfloat16, NumberFormat::kFloat16, NumberFormat::kTf32,
        NumberFormat::kFloat8E4M3FN, NumberFormat::kFloat8E5M2, NumberFormat::kInt8}) {
    const Model noisy = noisy_model(model, {.format = format, .stochastic = false});
    const Array expected = round_to(sample(), format);
    const TensorError error = measure_error(expected, runs.run(noisy, sample()));
    // The scale of int8 is computed in float32 in both.
    EXPECT_LE(error.relative(), format == NumberFormat::kInt8 ? 1e-6 : 0) << name_of(format);
  }
}

TEST(NoisyModel, TheSameInOldOpsets) {
  Runs runs;
  for (const int opset : {7, 9, 11, 12}) {
    const Model noisy = noisy_model(parse("{ y = Add(x, x) }", opset),
                                    {.format = NumberFormat::kBfloat16, .stochastic = false});
    const Array twice = Array::of<float>({6}, {0.2f, -6.28318f, 2469.134f, 0.0f, 2e-3f, 14.0f});
    EXPECT_TRUE(bitwise_equal(runs.run(noisy, sample()), round_to(twice, NumberFormat::kBfloat16)))
        << opset;
  }
}

TEST(NoisyModel, StochasticallyItIsOneOfBothNeighbours) {
  Runs runs;
  const Model noisy =
      noisy_model(parse("{ y = Add(x, x) }"), {.format = NumberFormat::kBfloat16, .seed = 3});
  const Array x = Array::of<float>({6}, {1.005f, 1.005f, 1.005f, 1.005f, 1.005f, 1.005f});
  std::set<float> seen;
  for (int times = 1; times <= 8; ++times) {
    const Array result = runs.run(noisy, x, times);
    EXPECT_THAT(result.as<float>(), Each(AnyOf(2.0f, 2.015625f)));
    for (const float number : result.as<float>()) seen.insert(number);
  }
  EXPECT_EQ(seen.size(), 2u);
}

// For sums in another order, and at the tensor with the sum only.
TEST(NoisyModel, AFactorMovesATensorOfFloat32FartherAndNoOther) {
  Runs runs;
  const Model model = parse("<float[6] o = {1, 1, 1, 1, 1, 1}> { a = Mul(x, o) y = Mul(a, o) }");
  const Array x = Array::of<float>({6}, {1.1f, -1.2f, 1.3f, 1.4f, -1.5f, 1.6f});
  const auto noise_of = [&](NumberFormat format, const std::string& tensor) {
    const Model noisy = noisy_model(model, {.format = format, .factors = {{tensor, 100}}});
    return measure_error(x, runs.run(noisy, x)).relative();
  };
  const double usual = noise_of(NumberFormat::kFloat32, "another");
  EXPECT_GT(usual, 0);
  EXPECT_LT(usual, 3e-7);
  for (const std::string tensor : {"a", "y"}) {
    EXPECT_GT(noise_of(NumberFormat::kFloat32, tensor), 10 * usual) << tensor;
    EXPECT_LT(noise_of(NumberFormat::kFloat32, tensor), 2e-5) << tensor;
    EXPECT_EQ(noise_of(NumberFormat::kBfloat16, tensor),
              noise_of(NumberFormat::kBfloat16, "another"));
  }
}

// Its sums, one after the other, are held in the format.
TEST(NoisyModel, ALongCumSumMovesByManyRoundings) {
  Runs runs;
  const auto noise_of = [&](int64_t length) {
    const Model model = graphsurgeon::parse_onnx_text(
        ("<ir_version: 9, opset_import: [\"\": 19]> g (float[" + std::to_string(length) +
         "] x) => (float[" + std::to_string(length) +
         "] y) <int64 axis = {0}> { y = CumSum(x, axis) }")
            .c_str());
    const Array x = Array::of<float>({length}, std::vector<float>(length, 1.01f));
    const Model noisy = noisy_model(model, {.format = NumberFormat::kBfloat16});
    return measure_error(runs.run(model, x), runs.run(noisy, x)).relative();
  };
  EXPECT_GT(noise_of(400), 3 * noise_of(4));
}

TEST(NoisyModel, ASumMovesInProportionToItsTerms) {
  Runs runs;
  const Model model = parse(
      "<float[6, 1] w = {1, 1, 1, -1, -1, -1}, int64[2] row = {1, 6}, int64[1] all = {-1}, "
      "float[6] o = {1, 1, 1, 1, 1, 1}> "
      "{ a = Reshape(x, row) b = MatMul(a, w) c = Reshape(b, all) y = Mul(c, o) }");
  const Array x = Array::of<float>({6}, {1.1f, 1.2f, 1.3f, 1.1f, 1.2f, 1.301f});
  const Model noisy =
      noisy_model(model, {.format = NumberFormat::kFloat32, .factors = {{"b", 10}}});
  const Array exact = runs.run(model, x);
  // The result is 0.001, a tenth of a thousandth of its terms' sum.
  EXPECT_GT(measure_error(exact, runs.run(noisy, x)).relative(), 1e-4);
  EXPECT_LT(measure_error(exact, runs.run(noisy, x)).relative(), 1e-2);
}

// Their polynomials are good to a part of 1, or of the input, not of each result.
TEST(NoisyModel, SmallResultsOfApproximatedFunctionsMove) {
  Runs runs;
  const Array x = Array::of<float>({6}, {-16.5f, -17, -16, -16.9f, -16.1f, -16.7f});
  for (const int opset : {18, 23}) {
    for (const auto& [op, most] : {std::pair("Sigmoid", 1.0), {"Softplus", 17.0}, {"Mish", 17.0}}) {
      const Model model = parse(std::string("{ y = ") + op + "(x) }", opset);
      const Array exact = runs.run(model, x);
      for (const NumberFormat format : {NumberFormat::kFloat32, NumberFormat::kBfloat16}) {
        const double moved =
            measure_error(exact, runs.run(noisy_model(model, {.format = format}), x)).largest;
        EXPECT_GT(moved, most * 2e-8) << op << opset << name_of(format);
        EXPECT_LT(moved, most * 3e-7) << op << opset << name_of(format);
      }
    }
  }
}

// A logarithm of one would be NaN.
TEST(NoisyModel, ASigmoidIsNeverNegative) {
  Runs runs;
  const Model model = parse("{ y = Sigmoid(x) }");
  const Array far = Array::of<float>({6}, {-40, -41, -42, -43, -44, -45});
  for (int64_t seed = 0; seed < 10; ++seed) {
    const Array result =
        runs.run(noisy_model(model, {.format = NumberFormat::kFloat32, .seed = seed}), far);
    for (const float number : result.as<float>()) EXPECT_GE(number, 0);
  }
}

TEST(NoisyModel, TheSameSeedGivesTheSame) {
  Runs runs;
  const Model model = parse("{ a = Exp(x) y = Sin(a) }");
  const NoiseOptions options{.format = NumberFormat::kFloat16, .seed = 11};
  EXPECT_TRUE(bitwise_equal(runs.run(noisy_model(model, options), sample(), 3),
                            runs.run(noisy_model(model, options), sample(), 3)));
}

// By tensor: the noise that its numbers get in two evaluations, as parts of them.
std::vector<std::vector<double>> added_noise(const Model& model, const Array& x) {
  Logger log;
  BundledRuntime runtime(built_paths(), log);
  const auto session = runtime.load(model);
  std::vector<std::vector<double>> added;
  for (int time = 0; time < 2; ++time) {
    for (const auto& [name, value] : run_model(*session, {{"x", Value(x)}})) {
      std::vector<double>& parts = added.emplace_back();
      for (int64_t i = 0; i < x.size(); ++i)
        parts.push_back(value.tensor().get_double(i) / x.get_double(i) - 1);
    }
  }
  return added;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / static_cast<double>(a.size());
}

// Their random numbers are made once.
TEST(NoisyModel, NoiseOfLargeTensorsIsIndependent) {
  constexpr int64_t kCount = 100000;
  std::vector<float> numbers;
  for (int64_t i = 0; i < kCount; ++i) numbers.push_back(1 + static_cast<float>(i % 997) / 997);
  const Array x = Array::of<float>({100, 1000}, std::span<const float>(numbers));
  for (const int opset : {9, 17, 22}) {
    const Model model = graphsurgeon::parse_onnx_text(
        ("<ir_version: 9, opset_import: [\"\": " + std::to_string(opset) +
         "]> g (float[100, 1000] x) => (float[100, 1000] a, float[100, 1000] b, float[9, 9] c) "
         "<float one = {1}> { a = Mul(x, one) b = Mul(x, one) c = Mul(b, one) }")
            .c_str());
    const Model noisy = noisy_model(
        model, {.format = NumberFormat::kFloat32, .factors = {{"a", 1e4}, {"b", 1e4}, {"c", 1e4}}});
    const auto makers = std::ranges::count_if(noisy.graph->nodes(), [](const auto& node) {
      return node->op() == "RandomUniformLike" || node->op() == "Dropout";
    });
    EXPECT_EQ(makers, 1) << opset;
    const auto added = added_noise(noisy, x);
    ASSERT_EQ(added.size(), 6u);
    // Of terms and results.
    const double variance = 2 * std::pow(0.999e4 * 0x1p-23, 2) / 3;
    for (size_t i = 0; i < added.size(); ++i) {
      const bool behind_another = i % 3 == 2;
      EXPECT_NEAR(std::accumulate(added[i].begin(), added[i].end(), 0.0) / kCount, 0,
                  4 * std::sqrt(2 * variance / kCount));
      EXPECT_NEAR(product(added[i], added[i]) / variance, behind_another ? 2 : 1, 0.03);
      for (size_t j = 0; j < i; ++j) {
        const bool reads_it = behind_another && j + 1 == i;
        EXPECT_NEAR(product(added[i], added[j]) / variance, reads_it ? 1 : 0, 0.04)
            << opset << ": " << i << " and " << j;
      }
    }
  }
}

// ONNX Runtime refuses a Range up to an element of a shape that it knows.
TEST(NoisyModel, KnownShapesStayOutOfTheModel) {
  const Model model = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 9, opset_import: ["": 17]> g (float[N, 1000] x) => (float[N, 1000] y)
      <float one = {1}, int64 first = {0}, int64 step = {1}> {
        a = Mul(x, one)
        shape = Shape(a)
        count = Gather(shape, first)
        rows = Range(first, count, step)
        y = Gather(a, rows)
      })");
  const NoiseOptions options{.format = NumberFormat::kFloat32,
                             .input_shapes = {{"x", {100, 1000}}}};
  const Model noisy = noisy_model(model, options);
  EXPECT_TRUE(std::ranges::any_of(noisy.graph->nodes(),
                                  [](const auto& node) { return node->op() == "Slice"; }));
  const Array x = Array::of<float>({100, 1000}, std::vector<float>(100000, 1.0f));
  EXPECT_EQ(added_noise(noisy, x).size(), 2u);
}

TEST(NoisyModel, InfinitiesStay) {
  Runs runs;
  const float inf = std::numeric_limits<float>::infinity();
  const Array x = Array::of<float>({6}, {inf, -inf, 1, 2, -3.4e38f, 3});
  for (const int opset : {9, 13}) {
    for (const NumberFormat format : {NumberFormat::kBfloat16, NumberFormat::kTf32}) {
      const Array result =
          runs.run(noisy_model(parse("<float[6] o = {1, 1, 1, 1, 1, 1}> { y = Mul(x, o) }", opset),
                               {.format = format}),
                   x);
      EXPECT_EQ(result.as<float>()[0], inf) << opset << name_of(format);
      EXPECT_EQ(result.as<float>()[1], -inf);
      EXPECT_FALSE(std::isnan(result.as<float>()[4]));
    }
  }
}

TEST(NoisyModel, ExactNodesKeepTheirDigits) {
  Runs runs;
  const Model model = parse("{ a = Sin(x) b = Cos(a) y = Neg(b) }");
  const Array exact = runs.run(model, sample());
  const NoiseOptions all{.format = NumberFormat::kBfloat16, .stochastic = false};
  EXPECT_GT(measure_error(exact, runs.run(noisy_model(model, all), sample())).relative(), 1e-4);
  NoiseOptions none = all;
  none.exact_nodes = {0, 1, 2};
  EXPECT_TRUE(bitwise_equal(exact, runs.run(noisy_model(model, none), sample())));
}

TEST(NoisyModel, WholeNumbersThatAreCountedStay) {
  Runs runs;
  const Array x = Array::of<float>({6}, {64, 8, 12, 100000, -20, 0});
  for (int64_t seed = 0; seed < 20; ++seed) {
    const Model counted = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[6] x) => (float[6] y) <float k = {4}> { q = Div(x, k) y = Floor(q) })");
    const Model noisy = noisy_model(counted, {.format = NumberFormat::kFloat32, .seed = seed});
    EXPECT_TRUE(bitwise_equal(runs.run(noisy, x), Array::of<float>({6}, {16, 2, 3, 25000, -5, 0})));
  }
}

TEST(NoisyModel, SizesAreExactInAnyFormat) {
  Runs runs;
  for (const NumberFormat format :
       {NumberFormat::kFloat32, NumberFormat::kFloat16, NumberFormat::kBfloat16}) {
    const Model traced = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[6] x) => (float[a, b] y) <float k = {2}, int64[1] rest = {-1}, int64[1] zero = {0}> {
        s = Shape(x) f = Cast<to = 1>(s) q = Div(f, k) w = Floor(q) i = Cast<to = 7>(w)
        d = Concat<axis = 0>(rest, i) y = Reshape(x, d) })");
    for (int64_t seed = 0; seed < 5; ++seed) {
      const Model noisy = noisy_model(traced, {.format = format, .seed = seed});
      EXPECT_EQ(runs.run(noisy, sample()).shape(), (Shape{2, 3}));
    }
  }
}

TEST(NoisyModel, WeightsAreRounded) {
  Runs runs;
  const std::string weights = "<float[6] w = {1.001, 1.002, 1.003, 1.004, 1.005, 1.006}> ";
  const Model noisy =
      noisy_model(parse(weights + "{ y = Max(x, w) }"), {.format = NumberFormat::kBfloat16});
  const Array least = Array::of<float>({6}, {-1, -1, -1, -1, -1, -1});
  EXPECT_THAT(runs.run(noisy, least).as<float>(), Each(AnyOf(1.0f, 1.0078125f)));
}

TEST(NoisyModel, Float8NeedsANewOpset) {
  EXPECT_THROW(noisy_model(parse("{ y = Exp(x) }", 17), {.format = NumberFormat::kFloat8E4M3FN}),
               Error);
}

// From opset 22 on, with other operators of random numbers.
TEST(NoisyModel, StochasticRoundingOfTheLatestOpsets) {
  for (const int opset : {21, 22, 23}) {
    Runs runs;
    const Model model = noisy_model(parse("{ y = Mul (x, x) }", opset),
                                    {.format = NumberFormat::kBfloat16, .stochastic = true});
    const Array values = Array::of<float>({6}, {1.1f, 1.2f, 1.3f, 1.4f, 1.5f, 1.6f});
    std::set<float> seen;
    for (int times = 1; times <= 8; ++times) {
      const Array squares = runs.run(model, values, times);
      for (int64_t i = 0; i < 6; ++i) {
        const float right = values.as<float>()[i] * values.as<float>()[i];
        EXPECT_NEAR(squares.as<float>()[i], right, right * 0x1p-7f) << opset;
        seen.insert(squares.as<float>()[i]);
      }
    }
    EXPECT_GT(seen.size(), 6u) << opset;  // some are rounded both ways
  }
}

}  // namespace
}  // namespace polygraphy
