#include "polygraphy/diagnosis/locate/models/coarser_results.h"

#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

graphsurgeon::Model parse(const std::string& type, const std::string& nodes) {
  return graphsurgeon::parse_onnx_text(
      ("<ir_version: 10, opset_import: [\"\": 21]> g (" + type + "[2] x) => (y) {" + nodes + "}")
          .c_str());
}

std::optional<NumberFormat> format_of(const graphsurgeon::Model& reference,
                                      const graphsurgeon::Model& model) {
  return coarser_results(reference, model, {{"x", "x"}, {"a", "a"}, {"y", "y"}});
}

constexpr const char* kPlain = "a = Exp(x) y = Neg(a)";
constexpr const char* kMixed = "h = Cast<to = 16>(x) b = Exp(h) a = Cast<to = 1>(b) y = Neg(a)";

TEST(CoarserResults, OnlyThoseOfTheReferenceCount) {
  const auto float32 = parse("float", kPlain), float16 = parse("float16", kPlain),
             bfloat16 = parse("bfloat16", kPlain);
  EXPECT_EQ(format_of(float32, float32), std::nullopt);
  EXPECT_EQ(format_of(float32, float16), std::nullopt);
  EXPECT_EQ(format_of(float16, float32), NumberFormat::kFloat16);
  EXPECT_EQ(format_of(bfloat16, float16), NumberFormat::kBfloat16);
}

TEST(CoarserResults, OneResultIsEnough) {
  const auto mixed = parse("float", kMixed);
  const auto model = parse("float", "a = Exp(x) y = Neg(a)");
  EXPECT_EQ(coarser_results(mixed, model, {{"a", "b"}, {"y", "y"}}), NumberFormat::kBfloat16);
  EXPECT_EQ(coarser_results(mixed, model, {{"a", "a"}, {"y", "y"}}), std::nullopt);
}

}  // namespace
}  // namespace polygraphy
