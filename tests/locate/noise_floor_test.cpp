// Outputs against the error that their format must have.
#include "polygraphy/diagnosis/locate/noise_floor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "hard_networks.h"
#include "locate_bench.h"
#include "polygraphy/comparison/compare/judged_sample.h"

namespace polygraphy {
namespace {

// The verdict on this sample alone.
Verdict verdict_of(ResultComparison& comparison, const IterationResult& reference,
                   const IterationResult& target) {
  return verdict_of(judged_sample(comparison.compare(reference, target)), comparison, reference,
                    target);
}

using ::testing::HasSubstr;

class NoiseFloors : public testing::Test {
 protected:
  void use(const std::string& name, std::vector<Fault> faults, std::optional<NumberFormat> format) {
    model_ = network_named(name).make();
    samples_ = {network_named(name).feed(0), network_named(name).feed(1)};
    job_ = faulty_job(*model_, samples_, std::move(faults), format);
    format_ = job_.format;
  }

  std::shared_ptr<ResultComparison> make() {
    NoiseFloorJob job{.model = job_.model};
    job.noise.name = "noise";
    job.make_feeds = job_.make_feeds;
    job.format = format_;
    return noise_floor(std::move(job), *job_.factory, log_);
  }

  IterationResult run(const LocateSide& side, size_t sample) const {
    return {.outputs = run_side(job_, side, samples_[sample]),
            .runtime = {},
            .runner_name = name_of(side)};
  }

  // Of all outputs of both samples.
  bool passes() {
    const auto comparison = make();
    bool passed = true;
    for (size_t sample = 0; sample < 2; ++sample) {
      for (const auto& [name, judged] :
           comparison->compare(run(job_.reference, sample), run(job_.target, sample)))
        passed &= judged.passed;
    }
    return passed;
  }

  Logger log_;
  std::optional<graphsurgeon::Model> model_;
  std::vector<ArrayMap> samples_;
  FaultyJob job_;
  std::optional<NumberFormat> format_ = NumberFormat::kFloat32;
};

TEST_F(NoiseFloors, CorrectEnginesAreWithinTheirFormats) {
  for (const NumberFormat format :
       {NumberFormat::kFloat32, NumberFormat::kFloat16, NumberFormat::kBfloat16}) {
    use("residual_net", {}, format);
    EXPECT_TRUE(passes()) << name_of(format);
  }
}

TEST_F(NoiseFloors, ACoarserFormatIsNotWithinAFinerOne) {
  use("residual_net", {}, NumberFormat::kBfloat16);
  format_ = NumberFormat::kFloat16;
  EXPECT_FALSE(passes());
}

// The outputs of many models in float16 are cast to float32.
TEST_F(NoiseFloors, TheFormatOfAModelIsNamed) {
  const graphsurgeon::Model model =
      graphsurgeon::parse_onnx_text(R"(<ir_version: 10, opset_import: ["" : 21]>
    g (float[4] x) => (float[4] y) {
      h = Cast <to = 10> (x) e = Exp (h) y = Cast <to = 1> (e)
    })");
  samples_ = {{{"x", Array::of<float>({4}, {0.1F, 0.2F, 0.3F, 0.4F})}}};
  job_ = faulty_job(model, samples_, {}, NumberFormat::kFloat32);
  const auto comparison = make();
  comparison->compare(run(job_.reference, 0), run(job_.target, 0));
  EXPECT_EQ(comparison->measure(), "3× the float16 noise");
}

// A file does not say the format of its results.
TEST_F(NoiseFloors, APairIsJudgedByTheCoarserOfItsFormats) {
  use("residual_net", {}, NumberFormat::kBfloat16);
  format_.reset();
  IterationResult exact = run(job_.reference, 0), coarse = run(job_.target, 0);
  coarse.precision = "bfloat16";
  for (const std::string precision : {"float32", ""}) {
    exact.precision = precision;
    for (const bool coarse_first : {true, false}) {
      const Verdict verdict =
          verdict_of(*make(), coarse_first ? coarse : exact, coarse_first ? exact : coarse);
      EXPECT_TRUE(verdict.passed()) << headline(verdict);
      EXPECT_EQ(verdict.measure, "3× the bfloat16 noise");
    }
  }
  exact.precision = "float32";
  coarse.precision = "";  // a file without its runner
  EXPECT_FALSE(verdict_of(*make(), exact, coarse).passed());
}

TEST_F(NoiseFloors, AFaultIsNoNoise) {
  use("mlp_relu", {{.node = "Gemm_4", .kind = Fault::Kind::kTile}}, NumberFormat::kFloat16);
  EXPECT_FALSE(passes());
}

TEST_F(NoiseFloors, ALabelIsRightOrATie) {
  use("labels", {}, NumberFormat::kFloat16);
  EXPECT_TRUE(passes());
  use("labels", {{.node = "ArgMax_4", .kind = Fault::Kind::kFlips}}, {});
  EXPECT_FALSE(passes());
}

TEST_F(NoiseFloors, AnIntegerOffByOneIsNoNoise) {
  use("casts", {}, NumberFormat::kFloat16);
  EXPECT_TRUE(passes());
  use("casts", {{.node = "Mul_4", .kind = Fault::Kind::kPlusOne}}, {});
  EXPECT_FALSE(passes());
}

// Whichever side is wrong.
TEST_F(NoiseFloors, AnIntegerOfTheReferenceOffByOneIsNoNoise) {
  model_ = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[8] x) => (int32[8] cast, uint8[8] level)
      <float factor = {37.7}, float scale = {0.01}, uint8 zero = {0}> {
      a = Mul (x, factor) cast = Cast <to = 6> (a) level = QuantizeLinear (a, scale, zero)
    })");
  samples_ = {{{"x", Array::of<float>({8}, {.011F, .013F, .017F, .019F, .023F, .029F, .031F, 0})}}};
  job_ = faulty_job(*model_, samples_, {}, {});
  const IterationResult right = run(job_.reference, 0);
  IterationResult cast_off = right, level_off = right;
  Array cast = cast_off.outputs.find("cast")->clone(),
        level = level_off.outputs.find("level")->clone();
  reinterpret_cast<int32_t*>(cast.mutable_data())[0] += 1;
  reinterpret_cast<uint8_t*>(level.mutable_data())[0] += 3;
  cast_off.outputs.set("cast", std::move(cast));
  level_off.outputs.set("level", std::move(level));
  const auto agrees = [&](const IterationResult& one, const IterationResult& other) {
    return verdict_of(*make(), one, other).agreement == Agreement::kAgrees;
  };
  IterationResult target = right;
  target.runner_name = "target";
  EXPECT_TRUE(agrees(right, target));
  for (const IterationResult& off : {cast_off, level_off}) EXPECT_FALSE(agrees(off, target));
}

// Of a scale for each column, and of one that follows from the numbers.
TEST_F(NoiseFloors, AQuantisedLevelIsRightOrATie) {
  model_ = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4, 2] x) => (uint8[4, 2] columns, uint8[4, 2] dynamic, float scale, uint8 zero)
      <float[2] scales = {0.01, 0.02}, uint8[2] zeros = {10, 20}> {
      columns = QuantizeLinear <axis = 1> (x, scales, zeros)
      dynamic, scale, zero = DynamicQuantizeLinear (x)
    })");
  samples_ = {
      {{"x", Array::of<float>({4, 2}, {.111F, .213F, .317F, .419F, .523F, .629F, .731F, .8F})}}};
  job_ = faulty_job(*model_, samples_, {}, {});
  const IterationResult right = run(job_.reference, 0), target = run(job_.target, 0);
  const auto agrees = [&](const IterationResult& result) {
    return verdict_of(*make(), right, result).agreement == Agreement::kAgrees;
  };
  EXPECT_TRUE(agrees(target));
  for (const char* name : {"columns", "dynamic"}) {
    for (const uint8_t off : {1, 6, 50}) {
      IterationResult wrong = target;
      Array levels = wrong.outputs.find(name)->clone();
      auto& level = reinterpret_cast<uint8_t*>(levels.mutable_data())[3];
      level = static_cast<uint8_t>(level - off);
      wrong.outputs.set(name, std::move(levels));
      EXPECT_FALSE(agrees(wrong)) << name << " off by " << int{off};
    }
  }
}

// Norms do not show the scores of a detector beside its boxes.
TEST_F(NoiseFloors, SmallNumbersBesideLargeOnes) {
  model_ = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 16] x) => (float[4, 16] y) <float large = {640}> {
      boxes = Mul (x, large) scores = Sigmoid (x) y = Concat <axis = 0> (boxes, scores)
    })");
  std::vector<float> numbers;
  for (int i = 0; i < 32; ++i) numbers.push_back(0.1F * static_cast<float>(i + 5));
  samples_ = {{{"x", Array::of<float>({2, 16}, numbers)}}};
  for (const NumberFormat format : {NumberFormat::kFloat32, NumberFormat::kBfloat16}) {
    job_ = faulty_job(*model_, samples_, {}, format);
    format_ = format;
    const IterationResult one = run(job_.reference, 0);
    IterationResult other = run(job_.target, 0);
    EXPECT_TRUE(make()->compare(one, other).front().second.passed);
    const Array right = one.outputs.find("y")->contiguous_aligned();
    std::vector<float> wrong(right.as<float>().begin(), right.as<float>().end());
    for (size_t score = 32; score < 48; ++score) wrong[score] = 1 - wrong[score];
    other.outputs.set("y", Array::of<float>({4, 16}, wrong));
    const Verdict found = verdict_of(*make(), one, other);
    EXPECT_EQ(found.agreement, Agreement::kDiffers);
    EXPECT_GT(found.excess.value_or(0), 1);
  }
}

// As many as the format makes, elsewhere or of another kind.
TEST_F(NoiseFloors, NansAndInfinitiesAreWhereTheFormatMakesThem) {
  model_ = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[6] x) => (float[6] y) <float factor = {1000}> { y = Mul (x, factor) })");
  samples_ = {{{"x", Array::of<float>({6}, {1, 2, 100, -100, 3, 4})}}};
  job_ = faulty_job(*model_, samples_, {}, NumberFormat::kFloat16);
  format_ = NumberFormat::kFloat16;
  const IterationResult one = run(job_.reference, 0), other = run(job_.target, 0);
  // Results that the format cannot hold do not agree, but this is not a fault of the engine either.
  const auto overflows = [&](const IterationResult& target) {
    return verdict_of(*make(), one, target).agreement == Agreement::kTooCoarse;
  };
  EXPECT_TRUE(overflows(other));
  const float inf = std::numeric_limits<float>::infinity();
  const auto with = [&](std::vector<float> numbers) {
    IterationResult changed = other;
    changed.outputs.set("y", Array::of<float>({6}, numbers));
    return changed;
  };
  EXPECT_TRUE(overflows(with({1000, 2000, inf, -inf, 3000, 4000})));
  EXPECT_FALSE(overflows(with({inf, -inf, 1e5f, -1e5f, 3000, 4000})));
  EXPECT_FALSE(overflows(with({std::nanf(""), 2000, 1e5f, -inf, 3000, 4000})));
  EXPECT_FALSE(overflows(with({1000, 2000, -inf, inf, 3000, 4000})));
}

// Every quotient lies at a tie, so a correct engine may be off by one, too.
TEST_F(NoiseFloors, AnErrorThatIsLargeDoesNotPassInFloat32) {
  model_ = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[8] x) => (float[8] y) <float third = {3}> {
      a = Div (x, third) b = Mul (a, third) y = Floor (b)
    })");
  samples_ = {{{"x", Array::of<float>({8}, {1, 2, 3, 4, 5, 6, 7, 8})}}};
  job_ = faulty_job(*model_, samples_, {}, {});
  IterationResult one = run(job_.reference, 0), other = run(job_.target, 0);
  other.outputs.set("y", Array::of<float>({8}, {0, 1, 2, 3, 4, 5, 6, 7}));
  const Verdict verdict = verdict_of(*make(), one, other);
  EXPECT_EQ(verdict.agreement, Agreement::kTooCoarse);
  EXPECT_THAT(verdict.reason, HasSubstr("the noise of float32 at 'y'"));
}

// The first quotient is 23 and two steps: few evaluations of the noise reach the tie.
TEST_F(NoiseFloors, ATieMayBeDecidedOtherwiseInFloat32) {
  model_ = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[64] x) => (float[64] y) <float step = {0.05}> {
      a = Div (x, step) b = Floor (a) y = Mul (b, step)
    })");
  std::vector<float> x = {1.1500002f};
  for (int i = 1; i < 64; ++i) x.push_back(0.05f * static_cast<float>(i) + 0.025f);
  samples_ = {{{"x", Array::of<float>({64}, x)}}};
  job_ = faulty_job(*model_, samples_, {}, {});
  const IterationResult one = run(job_.reference, 0);
  const auto agrees = [&](const std::function<void(float*)>& change) {
    IterationResult other = run(job_.target, 0);
    Array y = other.outputs.find("y")->clone();
    change(reinterpret_cast<float*>(y.mutable_data()));
    other.outputs.set("y", std::move(y));
    return verdict_of(*make(), one, other).passed();
  };
  EXPECT_TRUE(agrees([](float* y) { y[0] -= 0.05f; }));
  EXPECT_FALSE(agrees([](float* y) {
    for (int i = 1; i < 3; ++i) y[i] -= 0.05f;
  }));
  EXPECT_FALSE(agrees([](float* y) { y[0] -= 0.2f; }));
  EXPECT_FALSE(agrees([](float* y) {
    for (int i = 0; i < 64; ++i) y[i] *= 1.0001f;
  }));
}

// In steps of float32 at 1, the range of the function.
TEST_F(NoiseFloors, ASigmoidFarBelowZeroMayBeZero) {
  model_ = graphsurgeon::parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[8] x) => (float[2, 4] y) <int64[2] shape = {2, 4}> {
      a = Sigmoid (x) y = Reshape (a, shape)
    })");
  samples_ = {{{"x", Array::of<float>({8}, {-20, -21, -22, -23, -24, -25, -26, -27})}}};
  job_ = faulty_job(*model_, samples_, {}, {});
  const IterationResult one = run(job_.reference, 0);
  IterationResult other = run(job_.target, 0);
  const auto agrees = [&](float result) {
    other.outputs.set("y", Array::of<float>({2, 4}, std::vector<float>(8, result)));
    return verdict_of(*make(), one, other).passed();
  };
  EXPECT_TRUE(agrees(0));
  EXPECT_TRUE(agrees(2e-9f));
  EXPECT_FALSE(agrees(1e-6f));
}

TEST_F(NoiseFloors, AnOutputOfOneSideIsNotCompared) {
  use("mlp_relu", {}, {});
  IterationResult more = run(job_.target, 0), less = more;
  more.outputs.set("extra", Array::of<float>({2}, {1, 2}));
  EXPECT_EQ(make()->compare(more, run(job_.reference, 0)).size(), less.outputs.size());
  less.outputs = {};
  const auto comparison = make();
  EXPECT_THROW(comparison->compare(more, less), Error);
}

TEST_F(NoiseFloors, WhatTheModelDoesNotMakeHasToBeEqual) {
  use("mlp_relu", {}, {});
  IterationResult one = run(job_.reference, 0), other = run(job_.target, 0);
  one.outputs.set("extra", Array::of<float>({2}, {1, 2}));
  other.outputs.set("extra", Array::of<float>({2}, {1, 2}));
  EXPECT_TRUE(make()->compare(one, other).back().second.passed);
  other.outputs.set("extra", Array::of<float>({2}, {1, 3}));
  EXPECT_FALSE(make()->compare(one, other).back().second.passed);
}

TEST_F(NoiseFloors, MoreResultsThanInputs) {
  use("mlp_relu", {}, {});
  samples_.resize(1);
  const auto comparison = make();
  const IterationResult one = run(job_.reference, 0), other = run(job_.target, 0);
  comparison->compare(one, other);
  try {
    comparison->compare(one, other);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kNoNoise);
    EXPECT_THAT(error.what(), HasSubstr("More results than inputs"));
  }
}

}  // namespace
}  // namespace polygraphy
