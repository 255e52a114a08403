#include "graphsurgeon/passes/weight_strip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/passes/testdata/graph_names.h"

namespace graphsurgeon {
namespace {

using polygraphy::Logger;
using polygraphy::Severity;
using polygraphy::TemporaryFolder;
using testing::ElementsAre;

std::vector<std::string> stripped_of(const char* text, const std::set<std::string>& exclude = {}) {
  Logger silent;
  return names(find_strippable_weights(parse_onnx_text(text), exclude, silent));
}

TEST(WeightStrip, TakesOperandsOfTheBigOperators) {
  EXPECT_THAT(stripped_of(R"(g (float[1,4] x) => (float y)
                <float[1] a = {1}, float[1] b = {2}, float[1] c = {3}, float[1] d = {4},
                 float[1] e = {5}, float[1] f = {6}, float[1] g = {7}, float[1] kept = {8}>
                { p = Conv (x, a)  q = Conv (p, b, c)  r = ConvTranspose (q, d)
                  s = Gemm (r, e, f)  t = MatMul (g, s)  y = Add (t, kept) })"),
              ElementsAre("a", "b", "c", "d", "e", "f", "g"));
}

TEST(WeightStrip, SmallGathersAndSlicesStay) {
  EXPECT_THAT(stripped_of(R"(g (int64[1] i) => (float y)
                <float[1023] small = {}, float[1024] big = {}, int64[1024] indices = {},
                 float[2000] sliced = {}, int64[1024] starts = {}>
                { a = Gather (small, i)  b = Gather (big, i)  c = Gather (a, indices)
                  y = Slice (sliced, starts, starts) })"),
              ElementsAre("big", "indices", "sliced"));
}

TEST(WeightStrip, LooksBehindTransposesThatNothingElseUses) {
  EXPECT_THAT(stripped_of(R"(g (float[4,4] x) => (float y, float out)
                <float[1] a = {1}, float[1] b = {2}, float[1] c = {3}, float[1] d = {4}>
                { ta = Transpose (a)  y = MatMul (x, ta)
                  tb = Transpose (b)  u = MatMul (x, tb)  v = MatMul (tb, x)
                  out = Transpose (c)  w = MatMul (x, out)
                  td = Transpose (d)  z = Add (x, td) })"),
              ElementsAre("a"));
}

TEST(WeightStrip, OneUserMayUseItTwice) {
  EXPECT_THAT(stripped_of(R"(g () => (float y) <float[1] a = {1}>
                { t = Transpose (a)  y = MatMul (t, t) })"),
              ElementsAre("a"));
}

TEST(WeightStrip, LooksBehindQuantization) {
  EXPECT_THAT(stripped_of(R"(g (float[4,4] x) => (float y)
                <float[1] a = {1}, float[1] b = {2}, float[1] bias = {3}, float s = {1},
                 uint8 z = {0}>
                { qa = QuantizeLinear (a, s)  da = DequantizeLinear (qa, s)
                  [gemm] p = Gemm (x, da)
                  [q] qb = QuantizeLinear (b, s, z)  [dq] db = DequantizeLinear (qb, s, z)
                  [conv] y = Conv (p, db, bias) })"),
              ElementsAre("a", "b", "bias"));
}

TEST(WeightStrip, AQuantizedWeightBehindADequantizeLinearAloneStays) {
  EXPECT_THAT(stripped_of(R"(g (float[4,4] x) => (float y) <int8[1] w = {1}, float s = {1}>
                { d = DequantizeLinear (w, s)  y = MatMul (x, d) })"),
              ElementsAre());
}

TEST(WeightStrip, TakesWhatUnknownOperatorsUse) {
  EXPECT_THAT(stripped_of(R"(<opset_import: ["" : 17, "mine" : 1]> g (float[4,4] x) => (float y)
                <float[1] a = {1}, uint8[1] bytes = {1}, float[1] kept = {2}>
                { p = mine.Plugin (x, a, bytes)  y = Upsample (p, kept) })"),
              ElementsAre("a"));
}

TEST(WeightStrip, ExcludedWeightsStayEverywhere) {
  const char* text = R"(g (float[4,4] x) => (float y) <float[1] a = {1}, float[1] b = {2}>
                { p = MatMul (x, a)  q = MatMul (p, a)  y = MatMul (q, b) })";
  EXPECT_THAT(stripped_of(text, {"a"}), ElementsAre("b"));
}

TEST(WeightStrip, WarnsOfExcludedNamesThatKeepNothing) {
  std::vector<std::string> lines;
  Logger logger([&](Severity, std::string_view line) { lines.emplace_back(line); });
  Model model = parse_onnx_text(R"(g (float[1,4] x) => (float[1,1] y)
                <float[4,1] w = {0, 0, 1, 2}, float[4,1] v = {0, 3, 1, 2}>
                { a = MatMul (x, w)  b = MatMul (x, v)  y = Add (a, b) })");
  strip_weights(model, {"v", "nobody", "none"}, logger);
  EXPECT_THAT(
      lines,
      ElementsAre("[I] Beginning weight stripping...",
                  "[W] The model is expected to be constant folded to successfully "
                  "capture all weights eligible for stripping",
                  "[I] Querying Sparse Initializers in the model",
                  "[I] Found: 2 weight tensor(s) eligible for pruning.",
                  "[I] Checking the sparsity pattern of 2 tensors.", "[I] Found sparse tensor: w",
                  "[W] Found non-sparse tensor: v", "[I] Finished checking 2 tensors. ",
                  "[W] The following weights provided by the user to skip stripping were "
                  "not found in the model: {'nobody', 'none'}.",
                  "[I] Finished stripping 1 weights"));
}

TEST(WeightStrip, MarksWhatItTook) {
  const TemporaryFolder folder;
  Model model = parse_onnx_text(R"(<ir_version: 8, opset_import: ["" : 17], doc_string: "mine">
                g (float[1,4] x) => (float[1,1] y)
                <float[4,1] w = {0, 0, 1, 2}, float[4,1] v = {1, 3, 1, 2}, float[1] k = {5}>
                { a = MatMul (x, w)  b = MatMul (x, v)  c = Add (a, b)  y = Add (c, k) })");
  Logger silent;
  EXPECT_EQ(strip_weights(model, {}, silent), 2u);
  save_model(model, folder.path() + "/s.onnx");
  const Model result = load_model(folder.path() + "/s.onnx");
  EXPECT_EQ(result.doc_string, "mine-TRT_WEIGHTLESS");
  const auto& weights = result.graph->initializers();
  EXPECT_THAT(names(weights), ElementsAre("w", "v", "k"));
  EXPECT_EQ(weights[0]->doc_string(), "TRT_WEIGHTLESS/SPARSE_2_4");
  EXPECT_EQ(weights[1]->doc_string(), "TRT_WEIGHTLESS/");
  EXPECT_EQ(weights[2]->doc_string(), "");
  EXPECT_EQ(weights[0]->payload()->shape(), (Shape{4, 1}));
  EXPECT_EQ(weights[0]->dtype(), DataType::kFloat32);
  EXPECT_THROW((void)weights[0]->payload()->load("w"), polygraphy::Error);
  EXPECT_EQ(weights[2]->payload()->load("k").get_double(0), 5);
}

TEST(WeightStrip, AStrippedModelStaysInOneFile) {
  const TemporaryFolder folder;
  Model model = parse_onnx_text(R"(g (float[1,4] x) => (float[1,1] y)
                <float[4,1] w = {0, 0, 1, 2}> { y = MatMul (x, w) })");
  Logger silent;
  strip_weights(model, {}, silent);
  SaveOptions options;
  options.external_data = "w.data";
  options.external_data_threshold = 0;
  save_model(model, folder.path() + "/s.onnx", options);
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/w.data"));
  EXPECT_EQ(load_model(folder.path() + "/s.onnx").graph->initializers()[0]->payload()->external(),
            nullptr);
}

TEST(WeightStrip, ExternalWeightsLoseTheirReference) {
  const TemporaryFolder folder;
  SaveOptions options;
  options.external_data = "w.data";
  options.external_data_threshold = 0;
  save_model(parse_onnx_text(R"(g (float[1,4] x) => (float[1,1] y)
                <float[4,1] w = {0, 9, 1, 2}> { y = MatMul (x, w) })"),
             folder.path() + "/m.onnx", options);
  Logger silent;
  Model model = load_model(folder.path() + "/m.onnx");
  EXPECT_EQ(strip_weights(model, {}, silent), 1u);
  save_model(model, folder.path() + "/s.onnx");
  const Model result = load_model(folder.path() + "/s.onnx");
  EXPECT_EQ(result.graph->initializers()[0]->payload()->external(), nullptr);
  EXPECT_EQ(result.graph->initializers()[0]->payload()->shape(), (Shape{4, 1}));
}

// 64 GiB that no disk has: bytes that were never written are zero, and are not read.
TEST(WeightStrip, TakesNoTimeForHolesInADataFile) {
  const TemporaryFolder folder;
  SaveOptions options;
  options.external_data = "w.data";
  options.external_data_threshold = 0;
  save_model(parse_onnx_text(R"(g (float[1,4] x) => (float[1,4096] y)
                <float[4,1] w = {0, 9, 1, 2}> { y = MatMul (x, w) })"),
             folder.path() + "/m.onnx", options);
  std::ofstream(folder.path() + "/w.data").close();
  std::filesystem::resize_file(folder.path() + "/w.data", uintmax_t{64} << 30);
  Logger silent;
  Model model = load_model(folder.path() + "/m.onnx");
  Tensor& weight = *model.graph->initializers()[0];
  ExternalRange range = *weight.payload()->external();
  range.length = int64_t{64} << 30;
  range.folder = folder.path();
  weight.to_constant(external_payload(DataType::kFloat32, {4, int64_t{4} << 30}, range));
  EXPECT_EQ(strip_weights(model, {}, silent), 1u);
  EXPECT_EQ(weight.doc_string(), "TRT_WEIGHTLESS/SPARSE_2_4");
}

}  // namespace
}  // namespace graphsurgeon
