#include "polygraphy/models/loaders/ir_version.h"

#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using graphsurgeon::parse_onnx_text;

int64_t needed(std::string_view text) {
  return needed_ir_version(parse_onnx_text(text)).version;
}

struct Case {
  const char* what;
  const char* text;
  int64_t version;
};

class NeededIrVersion : public testing::TestWithParam<Case> {};

TEST_P(NeededIrVersion, IsWhatTheModelUses) {
  EXPECT_EQ(needed(GetParam().text), GetParam().version);
}

INSTANTIATE_TEST_SUITE_P(
    All, NeededIrVersion,
    testing::Values(
        Case{"plain", "g (float[2] x) => (float[2] y) { y = Relu(x) }", 3},
        Case{"stamp",
             "<ir_version: 14, opset_import: [\"\": 20]> g (float[2] x) => (float[2] y) { y = "
             "Relu(x) }",
             3},
        Case{"initializer_is_no_input",
             "g (float[1] x) => (float[1] y) <float[1] w = {2}> { y = Add(x, w) }", 4},
        Case{"bfloat16", "g (bfloat16[2] x) => (bfloat16[2] y) { y = Relu(x) }", 4},
        Case{"optional", "g (optional(float[2]) x) => (bool y) { y = OptionalHasElement(x) }", 8},
        Case{
            "function",
            R"(<ir_version: 10, opset_import: ["": 20, "d": 1]> g (float[2] x) => (float[2] y) { y = d.f(x) }
                            <domain: "d", opset_import: ["": 20]> f (a) => (b) { b = Relu(a) })",
            8},
        Case{"float8", "g (float[2] x) => (float8e5m2[2] y) { y = Cast<to = 19>(x) }", 9},
        Case{"int4", "g (int4[2] x) => (int4[2] y) { y = Identity(x) }", 10},
        Case{"float4", "g (float4e2m1[2] x) => (float4e2m1[2] y) { y = Identity(x) }", 11},
        Case{"float8e8m0", "g (float8e8m0[2] x) => (float8e8m0[2] y) { y = Identity(x) }", 12},
        Case{"uint2", "g (uint2[4] x) => (uint2[4] y) { y = Identity(x) }", 13},
        Case{"type_that_only_a_cast_names",
             "g (float[2] x) => (float[2] y) { t = Cast<to = 26>(x) y = Cast<to = 1>(t) }", 13},
        Case{"in_a_subgraph",
             R"(g (bool c, float[2] x) => (float[2] y) {
                  y = If (c) <then_branch = t () => (float[2] a) { q = Cast<to = 22>(x) a = Cast<to = 1>(q) },
                              else_branch = e () => (float[2] b) { b = Identity(x) }> })",
             10},
        Case{"in_a_sequence", "g (seq(float8e4m3fn[2]) x) => (int64 y) { y = SequenceLength(x) }",
             9}),
    [](const auto& instance) { return instance.param.what; });

TEST(NeededIrVersionReason, NamesTheTensor) {
  const IrNeed need =
      needed_ir_version(parse_onnx_text("g (int4[2] x) => (int4[2] y) { y = Identity(x) }"));
  EXPECT_EQ(need.reason, "tensor 'x' is int4");
}

}  // namespace
}  // namespace polygraphy
