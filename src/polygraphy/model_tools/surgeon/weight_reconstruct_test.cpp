#include "polygraphy/model_tools/surgeon/weight_reconstruct.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/passes/sparsity.h"
#include "graphsurgeon/passes/weight_strip.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;
using testing::ElementsAre;

Model stripped(const char* text) {
  Model model = parse_onnx_text(text);
  Logger silent;
  graphsurgeon::strip_weights(model, {}, silent);
  return model;
}

Array value_of(const Model& model, size_t i) {
  const auto& weight = model.graph->initializers()[i];
  return weight->payload()->load(weight->name());
}

constexpr const char* kTwoWeights = R"(g (float[1,4] x) => (float[1,1] y)
    <float[4,1] w = {1, 2, 3, 4}, float kept = {5}, float[4,1] v = {0, 0, 1, 2}>
    { a = MatMul (x, w)  b = Gemm (x, v)  c = Add (a, b)  y = Add (c, kept) })";

// np.random.seed(1); np.random.randn(4, 1).astype(np.float32), twice
TEST(WeightReconstruct, DrawsWhatNumpyDraws) {
  Model model = stripped(kTwoWeights);
  Logger silent;
  EXPECT_EQ(reconstruct_weights(model, 1, silent), 2u);
  EXPECT_THAT(value_of(model, 0).as<float>(),
              ElementsAre(1.6243454f, -0.6117564f, -0.5281718f, -1.0729686f));
  EXPECT_EQ(value_of(model, 1).get_double(0), 5);
  // 0.8654076, -2.3015387, 1.7448118, -0.7612069 without the two smallest
  EXPECT_THAT(value_of(model, 2).as<float>(), ElementsAre(0, -2.3015387f, 1.7448118f, 0));
}

TEST(WeightReconstruct, AnyOrderGivesTheSame) {
  Model model = stripped(kTwoWeights);
  Logger silent;
  reconstruct_weights(model, 7, silent);
  const Array second = value_of(model, 2), first = value_of(model, 0);
  EXPECT_TRUE(bitwise_equal(first, value_of(model, 0)));
  EXPECT_TRUE(bitwise_equal(second, value_of(model, 2)));
}

// Longer than the distance of two saved states of the generator.
TEST(WeightReconstruct, GoesBackAndForthInLongSequences) {
  std::string text = "g (float[1,700000] x) => (float[1,1] y) <";
  for (int i = 0; i < 4; ++i) {
    text += (i ? ", " : "") + std::string("float[700000,1] w") + std::to_string(i) + " = {}";
  }
  text += "> {";
  for (int i = 0; i < 4; ++i) {
    text += "y" + std::to_string(i) + " = MatMul (x, w" + std::to_string(i) + ") ";
  }
  Model model = parse_onnx_text(text + "y = Sum (y0, y1, y2, y3) }");
  for (const auto& weight : model.graph->initializers()) weight->set_doc_string("TRT_WEIGHTLESS/");
  Logger silent;
  reconstruct_weights(model, 3, silent);
  const Array last = value_of(model, 3), third = value_of(model, 2);
  std::vector<Array> in_order;
  for (size_t i = 0; i < 4; ++i) in_order.push_back(value_of(model, i));
  EXPECT_TRUE(bitwise_equal(last, in_order[3]));
  EXPECT_TRUE(bitwise_equal(third, in_order[2]));
  EXPECT_TRUE(bitwise_equal(value_of(model, 1), in_order[1]));
  EXPECT_FALSE(bitwise_equal(in_order[0], in_order[1]));
}

TEST(WeightReconstruct, SparseWeightsAreSparseAgain) {
  Model model = stripped(kTwoWeights);
  std::vector<std::string> lines;
  Logger logger([&](Severity, std::string_view line) { lines.emplace_back(line); });
  reconstruct_weights(model, 1, logger);
  EXPECT_THAT(lines, ElementsAre("[I] Beginning weight reconstruction...",
                                 "[I] Calling Sparsity Pruner to prune selected weights",
                                 "[W] Skipping tensor: w since it was marked to skip pruning",
                                 "[I] Found: 1 weight tensor(s) eligible for pruning.",
                                 "[I] Pruning 1 tensors.", "[I] Finished pruning 1 tensors. ",
                                 "[I] Replacing weights to build new model object...",
                                 "[I] Finished reconstructing 2 weights"));
  EXPECT_TRUE(is_sparse(*model.graph->initializers()[2]->payload(), "v", 0));
}

TEST(WeightReconstruct, KeepsNamesShapesAndTypes) {
  const TemporaryFolder folder;
  const char* text = R"(<ir_version: 10, opset_import: ["" : 20, "mine" : 1]>
      g (float[1,4] x) => (float[1,1] y)
      <float16[4,2] h = {}, bfloat16[3] b = {}, int8[5] i = {}, int4[3] packed = {},
       double d = {}, bool[2] f = {}, int64[0] none = {}>
      { y = mine.Plugin (x, h, b, i, packed, d, f, none) })";
  Model model = stripped(text);
  Logger silent;
  EXPECT_EQ(reconstruct_weights(model, 1, silent), 7u);
  for (const bool outside : {false, true}) {
    graphsurgeon::SaveOptions options;
    if (outside) options.external_data = "r.data";
    options.external_data_threshold = 16;
    save_model(model, folder.path() + "/r.onnx", options);
    const Model result = graphsurgeon::load_model(folder.path() + "/r.onnx");
    const Model before = parse_onnx_text(text);
    for (size_t i = 0; i < 7; ++i) {
      const auto& weight = result.graph->initializers()[i];
      const auto& original = before.graph->initializers()[i];
      EXPECT_EQ(weight->name(), original->name());
      EXPECT_EQ(weight->dtype(), original->dtype());
      EXPECT_EQ(weight->payload()->shape(), original->payload()->shape());
      EXPECT_EQ(weight->payload()->external() != nullptr, outside && i == 0);
      EXPECT_TRUE(bitwise_equal(value_of(result, i), value_of(model, i))) << weight->name();
    }
  }
}

TEST(WeightReconstruct, RefusesAMarkedWeightWithValues) {
  Model model =
      parse_onnx_text("g (float[1] x) => (float[1] y) <float[1] w = {1}> { y = Add (x, w) }");
  Logger silent;
  graphsurgeon::Tensor& weight = *model.graph->initializers()[0];
  weight.replace_values(graphsurgeon::owned_payload(Array::of<float>({1}, {1})));
  weight.set_doc_string("TRT_WEIGHTLESS/");
  EXPECT_THROW(reconstruct_weights(model, 1, silent), Error);
}

}  // namespace
}  // namespace polygraphy
