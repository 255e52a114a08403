// `convert --convert-to onnx-like-trt-network`.
#include "fixture.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/ir/node.h"

namespace polygraphy::cli {
namespace {

using graphsurgeon::Node;

class OnnxLike : public TensorRt, public testing::WithParamInterface<std::string> {
 protected:
  graphsurgeon::Model network_of(std::string_view text) const {
    const Outcome seen =
        run({"convert", model(text), "--convert-to", "onnx-like-trt-network", "-o", "network.onnx"},
            GetParam());
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("Saving ONNX model to: network.onnx"));
    return graphsurgeon::load_model(folder_.path() + "/network.onnx");
  }
};

INSTANTIATE_TEST_SUITE_P(Families, OnnxLike, testing::Values("10", "11", "rtx"),
                         [](const auto& each) { return each.param; });

TEST_P(OnnxLike, LayersAreNodes) {
  const graphsurgeon::Model network = network_of(kSum);
  ASSERT_EQ(network.graph->nodes().size(), 2u);
  const Node& sum = *network.graph->nodes()[0];
  const Node& relu = *network.graph->nodes()[1];
  EXPECT_EQ(sum.op(), "ELEMENTWISE");
  EXPECT_EQ(sum.name(), "node_of_a");
  EXPECT_EQ(sum.attribute("op")->as_string(), "SUM");
  EXPECT_EQ(relu.op(), "ACTIVATION");
  EXPECT_EQ(relu.attribute("type")->as_string(), "RELU");
  EXPECT_EQ(relu.attribute("alpha")->as_float(), 0);
  EXPECT_EQ(network.graph->inputs()[0]->name(), "x");
  EXPECT_EQ(network.graph->outputs()[0]->name(), "y");
  EXPECT_EQ(relu.outputs()[0], network.graph->outputs()[0].get());
}

TEST_P(OnnxLike, DimensionsAreListsAndWeightsTensors) {
  const graphsurgeon::Model network = network_of(
      "<ir_version: 8, opset_import: [\"\": 17]>\n"
      "g (float[1,1,4,4] x) => (float[2,2,2,1] y)\n"
      "<float[2,1,3,3] w = {1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2}>\n"
      "{ c = Conv<kernel_shape = [3,3], strides = [1,1]>(x, w)\n"
      "  y = Transpose<perm = [3,1,2,0]>(c) }");
  ASSERT_EQ(network.graph->nodes().size(), 2u);
  const Node& convolution = *network.graph->nodes()[0];
  EXPECT_THAT(std::get<std::vector<int64_t>>(convolution.attribute("kernel_size_nd")->value),
              testing::ElementsAre(3, 3));
  const auto& kernel =
      std::get<graphsurgeon::TensorValue>(convolution.attribute("kernel")->value).values;
  EXPECT_EQ(kernel->size(), 18);
  EXPECT_EQ(kernel->load("kernel").get_double(17), 2);
  const Node& shuffle = *network.graph->nodes()[1];
  EXPECT_EQ(shuffle.attribute("reshape_dims")->as_string(), "None");
  EXPECT_EQ(std::get<std::vector<int64_t>>(shuffle.attribute("first_transpose")->value)[0], 3);
}

TEST_F(TensorRt, AModelIsNotReplacedByItsNetwork) {
  const Outcome seen =
      run({"convert", model(kSum), "--convert-to", "onnx-like-trt-network", "-o", "model.onnx"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("--output would overwrite"));
}

}  // namespace
}  // namespace polygraphy::cli
