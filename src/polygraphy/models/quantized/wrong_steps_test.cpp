#include "polygraphy/models/quantized/wrong_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <utility>

#include "graphsurgeon/ir/arg.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

constexpr int64_t kRows = 128, kColumns = 32;
using Matrix = std::vector<double>;  // of kRows rows

double& at(Matrix& matrix, int64_t row, int64_t column) {
  return matrix[static_cast<size_t>(row * kColumns + column)];
}

// A weight of 4 bits in blocks of rows.
struct Quantized {
  int64_t block;
  Matrix numbers = Matrix(kRows * kColumns), scales = {}, zeros = {};

  explicit Quantized(int64_t size) : block(size) {
    scales.resize(static_cast<size_t>(kRows / block * kColumns));
    zeros = scales;
  }
};

using Round = std::function<double(double)>;
double nearest(double x) {
  return std::nearbyint(x);
}

// The scale and zero point of the block that begins at a row, without or with a zero point.
void set_steps(Matrix& weight, int64_t first, bool zeros, double clip, Quantized& to) {
  for (int64_t column = 0; column < kColumns; ++column) {
    double least = 0, greatest = 0;
    for (int64_t row = first; row < first + to.block; ++row) {
      least = std::min(least, at(weight, row, column));
      greatest = std::max(greatest, at(weight, row, column));
    }
    const double size = std::max(greatest, -least);
    const double scale = clip * (zeros ? (greatest - least) / 15 : size / 7);
    at(to.scales, first / to.block, column) = scale == 0 ? 1 : scale;
    at(to.zeros, first / to.block, column) =
        zeros && scale != 0 ? nearest(-clip * least / scale) : 8;
  }
}

double quantize(double weight, int64_t row, int64_t column, const Round& round, Quantized& to) {
  const double scale = at(to.scales, row / to.block, column),
               zero = at(to.zeros, row / to.block, column);
  const double number = std::clamp(round(weight / scale) + zero, 0.0, 15.0);
  at(to.numbers, row, column) = number;
  return (number - zero) * scale;
}

Quantized rounded(Matrix weight, int64_t block, bool zeros, double clip = 1,
                  const Round& round = nearest) {
  Quantized to(block);
  for (int64_t row = 0; row < kRows; ++row) {
    if (row % block == 0) set_steps(weight, row, zeros, clip, to);
    for (int64_t column = 0; column < kColumns; ++column)
      quantize(at(weight, row, column), row, column, round, to);
  }
  return to;
}

// The zero point follows the numbers, as in HQQ.
Quantized with_optimal_zeros(Matrix weight, int64_t block) {
  Quantized to = rounded(weight, block, true);
  for (int64_t first = 0; first < kRows; first += block) {
    for (int64_t column = 0; column < kColumns; ++column) {
      double sum = 0;
      for (int64_t row = first; row < first + block; ++row)
        sum += at(to.numbers, row, column) -
               at(weight, row, column) / at(to.scales, first / block, column);
      at(to.zeros, first / block, column) = sum / static_cast<double>(block);
      const double scale = at(to.scales, first / block, column),
                   zero = at(to.zeros, first / block, column);
      for (int64_t row = first; row < first + block; ++row) {
        at(to.numbers, row, column) =
            std::clamp(nearest(at(weight, row, column) / scale + zero), 0.0, 15.0);
      }
    }
  }
  return to;
}

// The error of each row goes to later ones, as inputs that have much in common make it (GPTQ).
Quantized with_feedback(Matrix weight, int64_t block, bool zeros, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> inverse(kRows, std::vector<double>(2 * kRows));
  std::vector<std::vector<double>> inputs(kRows, std::vector<double>(4 * kRows));
  std::vector<double> shared(4 * kRows);
  for (double& one : shared) one = normal(random);
  for (auto& row : inputs) {
    const double size = std::exp(normal(random)), part = normal(random);
    for (size_t i = 0; i < row.size(); ++i) row[i] = size * (normal(random) + part * shared[i]);
  }
  for (size_t i = 0; i < kRows; ++i) {
    for (size_t j = 0; j < kRows; ++j) {
      for (size_t k = 0; k < shared.size(); ++k) inverse[i][j] += inputs[i][k] * inputs[j][k];
    }
    inverse[i][i] *= 1.01;
    inverse[i][kRows + i] = 1;
  }
  for (size_t i = 0; i < kRows; ++i) {  // Gauss-Jordan
    const double pivot = inverse[i][i];
    for (double& one : inverse[i]) one /= pivot;
    for (size_t j = 0; j < kRows; ++j) {
      const double factor = inverse[j][i];
      if (j == i) continue;
      for (size_t k = i; k < 2 * kRows; ++k) inverse[j][k] -= factor * inverse[i][k];
    }
  }
  Quantized to(block);
  for (int64_t row = 0; row < kRows; ++row) {
    const auto r = static_cast<size_t>(row);
    if (row % block == 0) set_steps(weight, row, zeros, 1, to);
    const double own = inverse[r][kRows + r];
    for (int64_t column = 0; column < kColumns; ++column) {
      const double value = at(weight, row, column);
      const double error = (value - quantize(value, row, column, nearest, to)) / own;
      for (size_t later = r + 1; later < kRows; ++later)
        at(weight, static_cast<int64_t>(later), column) -= error * inverse[later][kRows + r];
    }
    // The inverse without this row.
    for (size_t j = r + 1; j < kRows; ++j) {
      const double factor = inverse[j][kRows + r] / own;
      for (size_t k = r + 1; k < kRows; ++k)
        inverse[j][kRows + k] -= factor * inverse[r][kRows + k];
    }
  }
  return to;
}

Matrix weights(const std::string& kind, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::student_t_distribution<double> heavy(4);
  Matrix weight(kRows * kColumns);
  for (double& one : weight) {
    one = 0.05 * (kind == "heavy" ? heavy(random) : normal(random));
    if (kind == "positive") one = std::fabs(one) + 0.05;
    if (kind == "sparse" && random() % 3 != 0) one = 0;
  }
  return weight;
}

Matrix rescaled(Matrix weight, bool rows, double width, std::mt19937& random) {
  std::normal_distribution<double> normal(0, width);
  std::vector<double> factors(kRows);
  for (double& one : factors) one = std::exp(normal(random));
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t column = 0; column < kColumns; ++column)
      at(weight, row, column) *= factors[static_cast<size_t>(rows ? row : column)];
  }
  return weight;
}

Array floats(Shape shape, const Matrix& numbers) {
  const std::vector<float> converted(numbers.begin(), numbers.end());
  return Array::of<float>(std::move(shape), converted);
}

std::vector<WrongSteps> judged(const Quantized& weight, const Matrix& original) {
  auto model = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 10, opset_import: ["": 21]> g (float[1] x) => (float[1] y)
      <uint8[1] q = {0}, float[1] s = {1}, float[1] z = {0}>
      { y = DequantizeLinear<axis = 0>(q, s, z) })");
  std::vector<uint8_t> numbers(weight.numbers.begin(), weight.numbers.end());
  const Shape scales = {kRows / weight.block, kColumns};
  const auto tensors = model.graph->tensor_map();
  tensors.at("q")->to_constant(Array::of<uint8_t>({kRows, kColumns}, numbers));
  tensors.at("s")->to_constant(floats(scales, weight.scales));
  tensors.at("z")->to_constant(floats(scales, weight.zeros));
  const auto& node = model.graph->nodes().front();
  node->set_attribute("block_size", weight.block);
  return wrong_steps(*node, floats({kRows, kColumns}, original));
}

const char* const kKinds[] = {"normal", "heavy", "positive", "sparse"};
constexpr int64_t kBlocks[] = {16, 32, 128};

TEST(WrongSteps, NoQuantiserIsAccused) {
  std::mt19937 random(0);
  for (int time = 0; time < 8; ++time) {
    for (const std::string kind : kKinds) {
      for (const int64_t block : kBlocks) {
        const Matrix weight = weights(kind, random);
        const auto expect_none = [&](const char* how, const Quantized& quantized) {
          EXPECT_TRUE(judged(quantized, weight).empty()) << how << ", " << kind << ", " << block;
        };
        const auto down = [](double x) { return std::floor(x); };
        const auto to_zero = [](double x) { return std::trunc(x); };
        for (const bool zeros : {false, true}) {
          expect_none("nearest", rounded(weight, block, zeros));
          expect_none("clipped", rounded(weight, block, zeros, 0.5));
          expect_none("down", rounded(weight, block, zeros, 1, down));
          expect_none("to zero", rounded(weight, block, zeros, 1, to_zero));
          expect_none("AWQ", rounded(rescaled(weight, true, 0.5, random), block, zeros));
          for (const double width : {0.05, 0.1, 0.3})
            expect_none("AWQ of the next layer",
                        rounded(rescaled(weight, false, width, random), block, zeros));
          if (time == 0) expect_none("GPTQ", with_feedback(weight, block, zeros, random));
        }
        expect_none("HQQ", with_optimal_zeros(weight, block));
      }
    }
  }
}

// Of blocks, and the figures of the first one.
TEST(WrongSteps, AreFound) {
  std::mt19937 random(0);
  for (const double factor : {0.5, 1.5, 2.0, 16.0}) {
    for (const int64_t block : {32, 128}) {
      const Matrix weight = weights("normal", random);
      Quantized quantized = rounded(weight, block, true);
      const double right = at(quantized.scales, 0, 5);
      at(quantized.scales, 0, 5) *= factor;
      const auto wrong = judged(quantized, weight);
      ASSERT_EQ(wrong.size(), 1U) << factor << ", " << block;
      EXPECT_FALSE(wrong[0].of_zero_point);
      EXPECT_EQ(wrong[0].channel, 5);
      EXPECT_EQ(wrong[0].block, block == 128 ? -1 : 0);
      EXPECT_NEAR(wrong[0].in_model, right * factor, 1e-6 * factor);
      EXPECT_NEAR(wrong[0].by_weight, right, 0.1 * right);
    }
  }
}

TEST(WrongSteps, OfAWholeChannel) {
  std::mt19937 random(0);
  const Matrix weight = weights("normal", random);
  Quantized quantized = rounded(weight, 32, false);
  for (int64_t block = 0; block < 4; ++block) at(quantized.scales, block, 9) *= 2;
  const auto wrong = judged(quantized, weight);
  EXPECT_EQ(wrong.size(), 4U);
  for (const WrongSteps& one : wrong) EXPECT_EQ(one.channel, 9);
}

TEST(WrongSteps, OfZeroPoints) {
  std::mt19937 random(0);
  const Matrix weight = weights("normal", random);
  Quantized quantized = rounded(weight, 32, false);
  at(quantized.zeros, 2, 7) = 7;
  const auto one = judged(quantized, weight);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_TRUE(one[0].of_zero_point);
  EXPECT_EQ(one[0].channel, 7);
  EXPECT_EQ(one[0].block, 2);
  EXPECT_EQ(one[0].in_model, 7);
  EXPECT_EQ(one[0].by_weight, 8);
  for (double& zero : quantized.zeros) zero = 7;
  EXPECT_GT(judged(quantized, weight).size(), quantized.zeros.size() * 9 / 10) << "of all groups";
}

// Whether a group of these numbers, and of clipped ones, is accused if its scale is `factor` times
// the right one, and its weights lie `shift` right steps beside their numbers, and `off` around it.
bool is_found(const std::vector<double>& numbers, double factor, double off = 0, double shift = 0) {
  std::mt19937 random(0);
  Matrix weight = weights("normal", random);
  Quantized quantized = rounded(weight, 32, false);
  for (int64_t row = 0; row < 32; ++row) {
    const bool clipped = static_cast<size_t>(row) >= numbers.size();
    const double number = clipped ? 7 : numbers[static_cast<size_t>(row)];
    at(quantized.numbers, row, 5) = number + 8;
    at(weight, row, 5) = number + shift + (row % 4 < 2 ? off : -off);
  }
  at(quantized.scales, 0, 5) = factor;
  return !judged(quantized, weight).empty();
}

std::vector<double> alternating(size_t count, double size) {
  std::vector<double> numbers;
  for (size_t i = 0; i < count; ++i) numbers.push_back(i % 2 == 0 ? size : -size);
  return numbers;
}

TEST(WrongSteps, OfGroupsThatSayEnough) {
  EXPECT_FALSE(is_found(alternating(8, 5), 2)) << "few numbers";
  EXPECT_TRUE(is_found(alternating(16, 5), 2));
  EXPECT_FALSE(is_found(alternating(20, 1), 2)) << "small numbers";
  EXPECT_TRUE(is_found({2, -2, 2, -2, 2, -2, 2, -2, 1, -1, 1, -1}, 2));
  EXPECT_FALSE(is_found(alternating(16, 5), 2, 0.6)) << "as little as rounding leaves";
  EXPECT_TRUE(is_found(alternating(16, 5), 2, 0.4));
  EXPECT_FALSE(is_found(alternating(16, 5), 1.3)) << "rounding to zero makes weights smaller";
  EXPECT_TRUE(is_found(alternating(16, 5), 1.5));
  EXPECT_TRUE(is_found(alternating(16, 5), 0.5));
  EXPECT_FALSE(is_found(alternating(16, 5), 1, 0, 0.75)) << "rounding down";
  EXPECT_TRUE(is_found(alternating(16, 5), 1, 0, 0.85));
}

// As AWQ does where the next layer takes the factors.
TEST(WrongSteps, AmongChannelsThatWereRescaled) {
  std::mt19937 random(0);
  const Matrix weight = weights("normal", random);
  Quantized quantized = rounded(rescaled(weight, false, 0.07, random), 32, true);
  for (int64_t block = 0; block < 4; ++block) at(quantized.scales, block, 9) *= 2;
  const auto wrong = judged(quantized, weight);
  EXPECT_EQ(wrong.size(), 4U);
  for (const WrongSteps& one : wrong) EXPECT_EQ(one.channel, 9);
}

// In a model that GPTQ made, too: its numbers lie elsewhere, but not by one factor.
TEST(WrongSteps, AmongNumbersThatWereMoved) {
  std::mt19937 random(0);
  const Matrix weight = weights("normal", random);
  Quantized quantized = with_feedback(weight, 32, true, random);
  for (int64_t block = 0; block < 4; ++block) at(quantized.scales, block, 9) *= 2;
  const auto wrong = judged(quantized, weight);
  ASSERT_FALSE(wrong.empty());
  for (const WrongSteps& one : wrong) EXPECT_EQ(one.channel, 9);
}

}  // namespace
}  // namespace polygraphy
