// Traps of dumps, and dumps without traps.
#include "polygraphy/comparison/dump_lint/dump_lint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/testdata/log_text.h"

namespace polygraphy {
namespace {

Array random(Shape shape, unsigned seed, double scale = 1) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<size_t>(element_count(shape)));
  for (float& value : values) value = static_cast<float>(scale) * normal(engine);
  return Array::of<float>(std::move(shape), std::span<const float>(values));
}

template <typename Function>
Array changed(const Array& array, Function function) {
  std::vector<float> values;
  for (int64_t i = 0; i < array.size(); ++i)
    values.push_back(static_cast<float>(function(i, array.get_double(i))));
  return Array::of<float>(array.shape(), std::span<const float>(values));
}

// Another engine's result.
Array noisy(const Array& array) {
  const Array errors = random(array.shape(), 99, 1e-3);
  return changed(array,
                 [&](int64_t i, double value) { return value * (1 + errors.get_double(i)); });
}

class DumpLintTest : public testing::Test {
 protected:
  // `a` is a dump, `b` another one; both have the names that come first in both.
  std::string check(bool both = true) {
    DumpLint lint(log_.log());
    const Dump one = dump_of(a_), other = dump_of(b_);
    for (int iteration = 0; iteration < 2; ++iteration) {
      lint.check({one, other, partners(a_, b_)});
      if (both) lint.check({other, one, partners(b_, a_)});
      lint.count_zeros({one, other, partners(a_, b_)});
    }
    zeros_ = lint.zeros_text();
    only_zeros_ = lint.only_zeros();
    return log_.take();
  }

  static std::vector<std::optional<size_t>> partners(const IterationResult& one,
                                                     const IterationResult& other) {
    std::vector<std::optional<size_t>> places(one.outputs.size());
    for (size_t i = 0; i < places.size(); ++i) {
      for (size_t k = 0; k < other.outputs.size(); ++k) {
        if (one.outputs.at_index(i).first == other.outputs.at_index(k).first) places[i] = k;
      }
    }
    return places;
  }

  static IterationResult named(const std::string& name) {
    IterationResult result;
    result.runner_name = name;
    return result;
  }

  void both(const std::string& name, const Array& a, const Array& b) {
    a_.outputs.set(name, a);
    b_.outputs.set(name, b);
  }

  LogText log_;
  IterationResult a_ = named("a.npz"), b_ = named("b.npz");
  std::string zeros_;
  bool only_zeros_ = false;
};

TEST_F(DumpLintTest, RightDumpsRaiseNoAlarm) {
  for (unsigned i = 0; i < 12; ++i) {
    const std::string at = "layers." + std::to_string(i);
    const Array x = random({5, 32}, i);
    const Array active = changed(x, [](int64_t, double value) { return std::max(value, 0.0); });
    both(at + ".input", x, noisy(x));
    both(at + ".relu", active, noisy(active));
    const Array mask = Array::zeros(DataType::kFloat32, {1, 1, 5, 5});
    both(at + ".mask", mask, mask);
    const Array empty = Array::zeros(DataType::kFloat32, {1, 2, 0, 4});
    both(at + ".past", empty, empty);
    a_.outputs.set(at + ".only_here", x);
  }
  both("ids", Array::zeros(DataType::kInt64, {5}), Array::zeros(DataType::kInt64, {5}));
  EXPECT_EQ(check(), "");
  EXPECT_EQ(zeros_, "12 of 49 outputs are all zero on both sides");
  EXPECT_FALSE(only_zeros_);
}

TEST_F(DumpLintTest, NoAlarmForOtherShapesAndErrors) {
  both("wrong", random({5, 32}, 1), random({5, 32}, 2));
  both("longer", random({7, 32}, 3), random({5, 32}, 4));
  both("broadcast", random({1, 1, 8}, 5), random({8}, 5));
  for (unsigned i = 0; i < 50; ++i)
    both("scales." + std::to_string(i), random({1}, i), random({1}, 100 + i));
  both("loss", Array::zeros(DataType::kFloat32, {}), Array::of<float>({}, {0.1F}));
  both("flags", Array::zeros(DataType::kBool, {3}), Array::zeros(DataType::kBool, {3}));
  EXPECT_EQ(check(), "");
}

TEST_F(DumpLintTest, ZerosWhereTheOtherSideHasValues) {
  for (const char* name : {"layers.0", "layers.1", "layers.2", "layers.3"})
    both(name, Array::zeros(DataType::kFloat16, {5, 32}), random({5, 32}, 1, name[7]));
  both("logits", random({5, 9}, 8), random({5, 9}, 8));
  EXPECT_EQ(check(),
            "[W] Outputs of a.npz are all zeros, unlike the other side's: 'layers.0', "
            "'layers.1', 'layers.2' and 1 more (4 of 5). They were probably captured before the "
            "model had run, as in a run for memory profiling, or by a hook that was never called: "
            "capture them again.\n");
}

TEST_F(DumpLintTest, NegativeZerosAreZeros) {
  const Array x = random({20}, 1);
  both("x", changed(x, [](int64_t i, double) { return i % 2 == 0 ? 0.0 : -0.0; }), x);
  EXPECT_NE(check().find("are all zero"), std::string::npos);
}

TEST_F(DumpLintTest, ZerosWithoutAnotherSide) {
  a_.outputs.set("x", Array::zeros(DataType::kFloat32, {20}));
  a_.outputs.set("y", Array::zeros(DataType::kFloat32, {20}));
  a_.outputs.set("z", random({20}, 1));
  EXPECT_NE(check().find("'x', 'y' (2 of 3)"), std::string::npos);
}

TEST_F(DumpLintTest, ZerosOnBothSidesProveNothing) {
  for (const char* name : {"x", "y"})
    both(name, Array::zeros(DataType::kFloat32, {20}), Array::zeros(DataType::kFloat32, {20}));
  EXPECT_NE(check().find("Outputs of a.npz are all zero on both sides: 'x', 'y' (2 of 2). They "
                         "agree whatever the models compute"),
            std::string::npos);
  EXPECT_EQ(zeros_, "2 of 2 outputs are all zero on both sides");
  EXPECT_TRUE(only_zeros_);
}

TEST_F(DumpLintTest, Nans) {
  const Array x = random({20}, 1);
  both("x", changed(x, [](int64_t, double) { return NAN; }), x);
  both("y", changed(x, [](int64_t i, double value) { return i < 19 ? NAN : value; }), x);
  EXPECT_EQ(check(),
            "[W] Outputs of a.npz are all NaN: 'x' (1 of 2). Nothing was captured there, or the "
            "model computed NaNs already: look at the first of them in the model's order.\n");
}

TEST_F(DumpLintTest, NoNameInCommon) {
  a_.outputs.set("x", random({5}, 1));
  a_.outputs.set("y", random({5}, 2));
  b_.outputs.set("p", random({5}, 1));
  b_.outputs.set("q", random({5}, 2));
  EXPECT_NE(check(false).find("Outputs of a.npz have no name that the other side has: 'x', 'y'"),
            std::string::npos);
}

}  // namespace
}  // namespace polygraphy
