#include "graphsurgeon/passes/sparsity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

using polygraphy::Logger;
using polygraphy::Severity;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> lines_of(const char* text, Severity threshold = Severity::kInfo) {
  std::vector<std::string> lines;
  Logger logger([&](Severity, std::string_view line) { lines.emplace_back(line); });
  logger.set_severity(threshold);
  (void)check_sparsity(parse_onnx_text(text), logger);
  return lines;
}

std::vector<std::string> candidates_of(const char* text,
                                       const std::unordered_set<std::string_view>& skip = {}) {
  Logger silent;
  const Model model = parse_onnx_text(text);
  std::vector<std::string> names;
  for (const auto& [weight, axis] : find_sparsity_candidates(model, silent, skip)) {
    names.push_back(std::string(weight->name()) + " along " + std::to_string(axis));
  }
  return names;
}

TEST(Sparsity, SaysWhichWeightsAreSparse) {
  EXPECT_THAT(lines_of(R"(g (float[1,4] x) => (float[1,2] z)
                <float[4,1] half = {0, 7, 0, 8}, float[4,2] dense = {0,1, 2,0, 3,0, 0,4}>
                { a = MatMul (x, half)  y = Gemm (x, dense)  z = Mul (a, y) })"),
              ElementsAre("[I] Found: 2 weight tensor(s) eligible for pruning.",
                          "[I] Checking the sparsity pattern of 2 tensors.",
                          "[I] Found sparse tensor: half", "[I] Found sparse tensor: dense",
                          "[I] Finished checking 2 tensors. "));
  EXPECT_THAT(lines_of(R"(g (float[1,4] x) => (float[1,1] y) <float[4,1] w = {0, 7, 1, 8}>
                { y = MatMul (x, w) })"),
              testing::Contains("[W] Found non-sparse tensor: w"));
}

TEST(Sparsity, ZerosOfEitherSignCount) {
  EXPECT_THAT(lines_of(R"(g (float[1,4] x) => (float[1,1] y) <float[4,1] w = {-0.0, 7, -0.0, 8}>
                { y = MatMul (x, w) })"),
              testing::Contains("[I] Found sparse tensor: w"));
}

TEST(Sparsity, FindsTheAxisThatIsSummedOver) {
  EXPECT_THAT(candidates_of(R"(g (float[1,4] x) => (float y) <float[4,4] a = {}, float[4,4] b = {},
                float[4,4] c = {}, float[4,4] d = {}, float[4,4,1,1] e = {}>
                { p = MatMul (a, b)
                  q = Gemm <transA = 1, transB = 1> (c, d)
                  y = Conv (x, e) })"),
              ElementsAre("a along 1", "b along 0", "c along 0", "d along 1", "e along 1"));
}

TEST(Sparsity, LooksThroughConversionsAndTransposes) {
  EXPECT_THAT(candidates_of(R"(g (float[1,4] x) => (float y)
                <float[4,4] w = {}, float[4,4] v = {}, float[4,4] u = {}, float s = {1}>
                { q = QuantizeLinear (w, s)  d = DequantizeLinear (q, s)  a = MatMul (x, d)
                  t = Transpose <perm = [1, 0]> (v)  b = MatMul (x, t)
                  h = Cast <to = 10> (u)  c = MatMul (x, h) })"),
              ElementsAre("w along 0", "v along 1", "u along 0"));
}

TEST(Sparsity, ALaterUseDecidesTheAxis) {
  EXPECT_THAT(candidates_of(R"(g (float[4,4] x) => (float y) <float[4,4] w = {}, float[4,4] v = {}>
                { a = MatMul (x, w)  b = MatMul (x, v)  c = MatMul (w, x) })"),
              ElementsAre("w along 1", "v along 0"));
}

TEST(Sparsity, StopsWhereItUnderstandsNothing) {
  const auto lines =
      lines_of(R"(g (float[4,4] x) => (float y) <float[4,4] w = {}, float[4,4] v = {},
                float[4,4] u = {}>
                { a = Add (w, w)  b = MatMul (x, a)
                  [exp] e = Exp (v)  d = MatMul (x, e)
                  t = Transpose (u)  f = MatMul (x, t) })");
  EXPECT_THAT(lines, ElementsAre("[W] (e) produced by exp type: Exp is unsupported!",
                                 "[W] Transpose doesn't have <perm> attribute!",
                                 "[I] Found: 0 weight tensor(s) eligible for pruning.",
                                 "[I] Checking the sparsity pattern of 0 tensors.",
                                 "[I] Finished checking 0 tensors. "));
}

TEST(Sparsity, LeavesOutWhatCannotBeSparse) {
  const auto lines = lines_of(R"(g (float[1,3] x) => (float y)
                <int32[4,4] i = {}, float[3,4] three = {}, float[4] vector = {}>
                { a = MatMul (i, three)  b = MatMul (vector, x) })",
                              Severity::kVerbose);
  EXPECT_THAT(lines, testing::IsSupersetOf(
                         {"[W] Skipping tensor: i due to unsupported type: int32",
                          "[V] Skipping three since the length of axis 0 (3 in [3, 4]) is not a "
                          "multiple of 4. ",
                          "[W] Skipping tensor: vector since its shape [4] has no axis 1"}));
}

TEST(Sparsity, LeavesOutWhatIsToBeSkipped) {
  EXPECT_THAT(candidates_of(R"(g (float[4,4] x) => (float y) <float[4,4] w = {}, float[4,4] v = {}>
                { a = MatMul (x, w)  b = MatMul (x, v) })",
                            {"w"}),
              ElementsAre("v along 0"));
}

TEST(Sparsity, ACircleOfConversionsEnds) {
  EXPECT_THAT(candidates_of(R"(g (float[4,4] x) => (float y)
                { a = Cast <to = 1> (b)  b = Cast <to = 1> (a)  y = MatMul (x, b) })"),
              ElementsAre());
}

TEST(Sparsity, AStrippedWeightIsNamed) {
  EXPECT_THROW(lines_of(R"(g (float[1,4] x) => (float[1,1] y) <float[4,1] w = {}>
                { y = MatMul (x, w) })"),
               polygraphy::Error);
}

TEST(Sparsity, ChecksEveryFormatByMagnitude) {
  const auto sparse = [](DataType dtype, std::initializer_list<uint16_t> bits) {
    const std::vector<uint16_t> all(bits);
    return is_sparse(*owned_payload(Array::view(dtype, {4}, all.data(), nullptr)), "w", 0);
  };
  EXPECT_TRUE(sparse(DataType::kFloat16, {0, 0x8000, 1, 2}));
  EXPECT_FALSE(sparse(DataType::kFloat16, {0, 0x8001, 1, 2}));
  EXPECT_TRUE(sparse(DataType::kBfloat16, {0x3f80, 0, 0, 0x3f80}));
  EXPECT_FALSE(sparse(DataType::kBfloat16, {0x3f80, 0, 1, 0x3f80}));
}

}  // namespace
}  // namespace graphsurgeon
