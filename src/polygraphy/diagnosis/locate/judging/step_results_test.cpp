#include "polygraphy/diagnosis/locate/judging/step_results.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {
namespace {

int64_t unexplained(const std::string& op, const std::vector<StepInput>& inputs,
                    const Array& reference, const Array& observed) {
  const auto graph = graphsurgeon::Graph::create(*graphsurgeon::Store::create(), "g");
  const auto node = graphsurgeon::Node::create(graph->store(), op, "n");
  node->set_attribute("axis", int64_t{-1});
  node->set_attribute("block_size", int64_t{2});
  const auto flips = count_flips(*node, op == "TopK" ? 1 : 0, inputs, reference, observed);
  return flips ? flips->unexplained : -1;
}
int64_t unexplained(const std::string& op, const StepInput& input, const Array& reference,
                    const Array& observed) {
  return unexplained(op, std::vector<StepInput>{input}, reference, observed);
}

TEST(StepResults, IntegersOfNumbersOffATieAreRightOrWrong) {
  const Array x = Array::of<float>({3}, {1.5f, 2.999f, -0.5f});
  const Array right = Array::of<int32_t>({3}, {1, 2, 0});
  const Array wrong = Array::of<int32_t>({3}, {2, 3, 0});
  EXPECT_EQ(unexplained("Cast", {.values = &x}, right, wrong), 2);
  // A float16 2.999 may be 3.
  EXPECT_EQ(unexplained("Cast", {.values = &x, .relative = 0x1p-10}, right, wrong), 1);
}

TEST(StepResults, BothSidesAreWhatTiesGive) {
  const Array x = Array::of<float>({2}, {1.5f, 2.999f});
  const Array right = Array::of<int32_t>({2}, {1, 2});
  const StepInput input{.values = &x, .relative = 0x1p-10};
  EXPECT_EQ(unexplained("Cast", input, Array::of<int32_t>({2}, {2, 3}), right), 1);
  EXPECT_EQ(unexplained("Cast", input, Array::of<int32_t>({2}, {1, 5}), right), 1);
}

// They come with the input, and are judged by its noise.
TEST(StepResults, NansAndInfinitiesAreNoSteps) {
  const Array x = Array::of<float>({2}, {1e5f, 1.5f});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(unexplained("Floor", {.values = &x}, Array::of<float>({2}, {1e5f, 1}),
                        Array::of<float>({2}, {nan, 1})),
            0);
}

TEST(StepResults, NumbersThatNoIntegerHoldsAreAnything) {
  const Array x = Array::of<float>({1}, {1e20f});
  EXPECT_EQ(unexplained("Cast", {.values = &x}, Array::of<int32_t>({1}, {0}),
                        Array::of<int32_t>({1}, {5})),
            0);
}

TEST(StepResults, LevelsOnBothSidesAreNearTheQuotient) {
  const auto levels = [](std::initializer_list<uint8_t> numbers) {
    return Array::of<uint8_t>({static_cast<int64_t>(numbers.size())}, numbers);
  };
  const Array x = Array::of<float>({3}, {1, 2.499f, 400});
  const Array scale = Array::of<float>({}, {1}), zero = Array::of<uint8_t>({}, {10});
  const std::vector<StepInput> inputs = {
      {.values = &x, .distance = 0.01}, {.values = &scale}, {.values = &zero}};
  const auto unexplained_levels = [&](const Array& reference, const Array& observed) {
    return unexplained("QuantizeLinear", inputs, reference, observed);
  };
  EXPECT_EQ(unexplained_levels(levels({11, 12, 255}), levels({11, 13, 255})), 0);
  EXPECT_EQ(unexplained_levels(levels({14, 12, 255}), levels({11, 12, 255})), 1);
  EXPECT_EQ(unexplained_levels(levels({11, 12, 250}), levels({11, 12, 255})), 1);
}

TEST(StepResults, LevelsOfScalesPerAxis) {
  const Array x = Array::of<float>({2, 2}, {1, 2.499f, 3, 60});
  const Array scale = Array::of<float>({2}, {1, 10}), zero = Array::of<uint8_t>({2}, {10, 20});
  const std::vector<StepInput> inputs = {{.values = &x}, {.values = &scale}, {.values = &zero}};
  const Array right = Array::of<uint8_t>({2, 2}, {11, 20, 13, 26});
  const auto wrong = [&](std::initializer_list<uint8_t> observed) {
    return unexplained("QuantizeLinear", inputs, right, Array::of<uint8_t>({2, 2}, observed));
  };
  EXPECT_EQ(wrong({11, 20, 13, 26}), 0);
  EXPECT_EQ(wrong({12, 21, 14, 27}), 4);
  EXPECT_EQ(wrong({11, 20, 13, 76}), 1);
}

TEST(StepResults, LevelsOfScalesPerBlock) {
  const Array x = Array::of<float>({1, 3}, {1, 2, 30});
  const Array scale = Array::of<float>({1, 2}, {1, 10});
  const Array right = Array::of<int8_t>({1, 3}, {1, 2, 3});
  const std::vector<StepInput> inputs = {{.values = &x}, {.values = &scale}};
  const auto wrong = [&](std::initializer_list<int8_t> observed) {
    return unexplained("QuantizeLinear", inputs, right, Array::of<int8_t>({1, 3}, observed));
  };
  EXPECT_EQ(wrong({1, 3, 3}), 1);
  EXPECT_EQ(wrong({1, 2, 30}), 1);
}

TEST(StepResults, LevelsOfAScaleThatFollowsFromTheNumbers) {
  const Array x = Array::of<float>({3}, {-50.2f, 100, 204.8f});
  const Array right = Array::of<uint8_t>({3}, {0, 150, 255});
  const auto wrong = [&](std::initializer_list<uint8_t> observed) {
    return unexplained("DynamicQuantizeLinear", {.values = &x}, right,
                       Array::of<uint8_t>({3}, observed));
  };
  EXPECT_EQ(wrong({0, 151, 255}), 1);
  EXPECT_EQ(wrong({50, 200, 205}), 3);
}

TEST(StepResults, ComparisonsWithFewerNumbers) {
  const Array x = Array::of<float>({2, 2}, {1, 2, 3, 4}), limit = Array::of<float>({2}, {2, 4});
  const Array right = Array::of<bool>({2, 2}, {false, false, true, false});
  const Array wrong = Array::of<bool>({2, 2}, {false, false, false, true});
  const std::vector<StepInput> inputs = {{.values = &x, .distance = 0.1}, {.values = &limit}};
  EXPECT_EQ(unexplained("Greater", inputs, right, wrong), 1);
}

TEST(StepResults, AnotherIndexIsRightWhereNumbersAreEqual) {
  const Array x = Array::of<float>({2, 3}, {3, 3, 1, 0, 2, 1.9f});
  const Array right = Array::of<int64_t>({2, 1}, {0, 1});
  EXPECT_EQ(unexplained("ArgMax", {.values = &x}, right, Array::of<int64_t>({2, 1}, {1, 1})), 0);
  EXPECT_EQ(unexplained("ArgMax", {.values = &x}, right, Array::of<int64_t>({2, 1}, {0, 2})), 1);
  EXPECT_EQ(unexplained("ArgMax", {.values = &x, .distance = 0.06}, right,
                        Array::of<int64_t>({2, 1}, {0, 2})),
            0);
  EXPECT_EQ(unexplained("ArgMax", {.values = &x}, right, Array::of<int64_t>({2, 1}, {0, 7})), 1);
}

TEST(StepResults, OtherOperatorsAreJudgedByTheirNoise) {
  const Array x = Array::of<float>({1}, {1});
  EXPECT_EQ(unexplained("Exp", {.values = &x}, x, Array::of<float>({1}, {2})), -1);
}

// Which of equal numbers is chosen does not depend on noise.
TEST(StepResults, OfEqualNumbersTheLowerIndexIsRight) {
  const auto flips = [](const std::string& op, int64_t last, StepInput input,
                        std::vector<int64_t> right, std::vector<int64_t> seen) {
    const auto graph = graphsurgeon::Graph::create(*graphsurgeon::Store::create(), "g");
    const auto node = graphsurgeon::Node::create(graph->store(), op, "n");
    node->set_attribute("axis", int64_t{-1});
    node->set_attribute("select_last_index", last);
    const Shape shape = {static_cast<int64_t>(right.size())};
    return *count_flips(*node, op == "TopK" ? 1 : 0, {input}, Array::of<int64_t>(shape, right),
                        Array::of<int64_t>(shape, seen));
  };
  const Array x = Array::of<float>({5}, {1, 3, 3, 2, 2.999f});
  const StepInput given{.values = &x, .exact = true};
  for (const char* op : {"ArgMax", "ArgMin"}) {
    EXPECT_EQ(flips(op, 0, given, {1}, {2}).misordered, 1) << op;
    EXPECT_EQ(flips(op, 1, given, {2}, {1}).misordered, 1) << op;
    EXPECT_EQ(flips(op, 0, given, {1}, {2}).unexplained, 1) << op;
  }
  EXPECT_EQ(flips("TopK", 0, given, {1, 2, 4}, {2, 1, 4}).misordered, 1);
  // In a coarser format all three are equal, and in order.
  const StepInput coarse{.values = &x, .relative = 0x1p-8, .exact = true};
  EXPECT_EQ(flips("TopK", 0, coarse, {2, 4, 1}, {1, 2, 4}).misordered, 0);
  EXPECT_EQ(flips("TopK", 0, coarse, {2, 4, 1}, {1, 2, 4}).unexplained, 0);
  // Numbers that differ by noise are ties, unless the engine reads these very numbers.
  const Array noises = Array::of<float>({5}, {0, 1e-3f, 1e-3f, 0, 1e-3f});
  StepInput noisy{.values = &x, .distance = 1e-2, .noises = &noises};
  EXPECT_EQ(flips("ArgMax", 0, noisy, {1}, {4}).unexplained, 0);
  EXPECT_EQ(flips("ArgMax", 0, noisy, {1}, {2}).unexplained, 0);
  const Array none = Array::of<float>({5}, {1e-3f, 0, 0, 0, 0});
  noisy.noises = &none;
  EXPECT_EQ(flips("ArgMax", 0, noisy, {1}, {2}).misordered, 1);
  noisy.exact = true;
  EXPECT_EQ(flips("ArgMax", 0, noisy, {1}, {4}).unexplained, 1);
}

// Whatever the boxes and scores are.
TEST(StepResults, SuppressionNamesBoxesOfItsInputs) {
  const Array boxes = Array::zeros(DataType::kFloat32, {1, 5, 4});
  const Array scores = Array::zeros(DataType::kFloat32, {1, 2, 5});
  const auto wrong = [&](int64_t batch, int64_t type, int64_t box) {
    return names_nothing({{.values = &boxes}, {.values = &scores}},
                         Array::of<int64_t>({2, 3}, {0, 0, 0, batch, type, box}));
  };
  EXPECT_FALSE(wrong(0, 1, 4));
  EXPECT_TRUE(wrong(1, 1, 4));
  EXPECT_TRUE(wrong(0, 2, 4));
  EXPECT_TRUE(wrong(0, 1, 5));
  EXPECT_TRUE(wrong(0, 1, -1));
  EXPECT_FALSE(names_nothing({{}, {.values = &scores}}, Array::of<int64_t>({1, 3}, {9, 9, 9})));
}

}  // namespace
}  // namespace polygraphy
