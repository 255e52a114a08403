// `inspect capability`, and networks as text.
#include <filesystem>

#include "fixture.h"

namespace polygraphy::cli {
namespace {

// Five nodes, of which the third is not taken.
constexpr std::string_view kInParts =
    "<ir_version: 8, opset_import: [\"\": 17, \"my\": 1]>\n"
    "g (float[4] x) => (float[4] y) <float[4] b>\n"
    "{ a1 = Relu(x) a2 = Tanh(a1) b = my.Unknown(a2) c1 = Relu(b) y = Neg(c1) }";

TEST_F(TensorRt, WhatIsSupportedIsSaid) {
  const Outcome seen = run({"inspect", "capability", model(kSum)});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out,
              HasSubstr("[I] Graph is fully supported by TensorRT; Will not report errors."));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/polygraphy_capability_dumps"));
}

TEST_F(TensorRt, WhatIsNotSupportedIsListed) {
  const Outcome seen = run({"inspect", "capability", model(kInParts), "-o", "found"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out,
              AllOf(HasSubstr("===== Summary ====="), HasSubstr("Stack trace  | Operator  | Node"),
                    HasSubstr("Unknown"), HasSubstr("Saving results to")));
  EXPECT_THAT(folder_.read("found/results.txt"), HasSubstr("Unknown"));
}

TEST_F(TensorRt, WhatIsNoModelIsAnError) {
  folder_.write("model.onnx", "no model");
  const Outcome seen = run({"inspect", "capability", "model.onnx", "-o", "found"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("not an ONNX model"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() + "/found"));
}

TEST_F(TensorRt, PartsAreModelsOfTheirOwn) {
  const Outcome seen =
      run({"inspect", "capability", model(kInParts), "--with-partitioning", "-o", "found"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("| [[2, 3]]"));
  for (const char* name :
       {"supported_subgraph-nodes-0-1.onnx", "unsupported_subgraph-nodes-2-2.onnx",
        "supported_subgraph-nodes-3-4.onnx"}) {
    const Outcome shown = run_in_process({"inspect", "model", std::string("found/") + name},
                                         {.root = folder_.path()});
    EXPECT_EQ(shown.code, 0) << name << shown.err;
  }
}

TEST_F(TensorRt, PartsHaveExternalDataOfTheirOwn) {
  const std::string name = model(
      "<ir_version: 8, opset_import: [\"\": 17, \"my\": 1]>\n"
      "g (float[2] x) => (float[2] y) <float[2] v = {1, 2}, float[2] w = {3, 4},"
      " float[2] b>\n"
      "{ a = Add(x, v) b = my.Unknown(a) y = Mul(b, w) }");
  const Outcome seen =
      run({"inspect", "capability", name, "--with-partitioning", "-o", "found",
           "--save-external-data", "weights", "--external-data-size-threshold", "0"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_EQ(folder_.read("found/supported_subgraph-nodes-0-0.onnx.weights").size(), 8U);
  EXPECT_EQ(folder_.read("found/supported_subgraph-nodes-2-2.onnx.weights").size(), 8U);
}

TEST_F(TensorRt, WhatBodiesCaptureBecomesAnInputOfThePart) {
  const std::string name = model(
      "<ir_version: 8, opset_import: [\"\": 17, \"my\": 1]>\n"
      "g (bool c, float[4] x) => (float[4] y) <float[4] a>\n"
      "{ a = my.Unknown(x) y = If(c) <then_branch = t () => (float[4] p) { p = Relu(x) },\n"
      "  else_branch = e () => (float[4] q) { q = Neg(a) }> }");
  const Outcome seen = run({"inspect", "capability", name, "--with-partitioning", "-o", "found"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  std::string inputs;
  for (const char* file :
       {"found/supported_subgraph-nodes-1-1.onnx", "found/unsupported_subgraph-nodes-1-1.onnx",
        "found/unsupported_subgraph-nodes-0-1.onnx"}) {
    if (!std::filesystem::exists(folder_.path() + "/" + file)) continue;
    inputs += run_in_process({"inspect", "model", file}, {.root = folder_.path()}).out;
  }
  EXPECT_THAT(inputs, AllOf(HasSubstr("c [dtype=bool"), HasSubstr("x [dtype=float32")));
}

TEST_F(TensorRt, NetworksAsText) {
  const Outcome seen =
      run({"inspect", "model", model(kSum), "--display-as", "trt", "--show", "layers"}, "11");
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(
      seen.out,
      AllOf(HasSubstr("[I] ==== TensorRT Network ====\n"),
            HasSubstr("---- 1 Network Input(s) ----\n    {x [dtype=float32, shape=(-1, 4)]}"),
            HasSubstr("---- 2 Layer(s) ----\n    Layer 0    | "),
            HasSubstr("[Op: LayerType.ELEMENTWISE]\n        {x [dtype=float32")));
}

}  // namespace
}  // namespace polygraphy::cli
