// Networks as text, with what their layers have.
#include "fixture.h"

namespace polygraphy::cli {
namespace {

class NetworkText : public TensorRt, public testing::WithParamInterface<std::string> {
 protected:
  std::string network(std::string_view text, std::vector<std::string> show) const {
    std::vector<std::string> args = {"inspect",      "model", model(text),
                                     "--display-as", "trt",   "--show"};
    args.insert(args.end(), show.begin(), show.end());
    const Outcome seen = run(args, GetParam());
    EXPECT_EQ(seen.code, 0) << seen.err;
    return seen.out;
  }
};

INSTANTIATE_TEST_SUITE_P(Families, NetworkText, testing::Values("10", "11", "rtx"),
                         [](const auto& each) { return each.param; });

TEST_P(NetworkText, Attributes) {
  const std::string text = network(kSum, {"layers", "attrs"});
  EXPECT_THAT(text, AllOf(HasSubstr("        ---- Attributes ----\n"
                                    "        node_of_a.op = ElementWiseOperation.SUM\n    \n"),
                          HasSubstr("| node_of_y [Op: ActivationType.RELU]\n"),
                          HasSubstr("        node_of_y.alpha = 0.0\n"
                                    "        node_of_y.beta = 0.0")));
}

TEST_P(NetworkText, ListsAndSets) {
  const std::string text = network(
      "<ir_version: 8, opset_import: [\"\": 17]>\n"
      "g (float[2,3,4] x) => (float[4,3] y)\n"
      "{ t = Transpose<perm = [2,1,0]>(x) y = ReduceMean<axes = [2], keepdims = 0>(t) }",
      {"layers", "attrs"});
  EXPECT_THAT(text,
              AllOf(HasSubstr("node_of_t.first_transpose = (2, 1, 0, 3, 4, 5, 6, 7)\n"),
                    HasSubstr("node_of_t.reshape_dims = ()\n"),
                    HasSubstr("node_of_t.zero_is_placeholder = True\n"),
                    HasSubstr("node_of_y.axes = 4\n"), HasSubstr("node_of_y.keep_dims = False\n"),
                    HasSubstr("node_of_y.op = ReduceOperation.AVG")));
}

constexpr std::string_view kPooled =
    "<ir_version: 8, opset_import: [\"\": 17]>\n"
    "g (float[1,1,4,4] x) => (float[1,2,1,1] y) <float[2,1,3,3] w = "
    "{1,1,1,1,1,1,1,1,1,2,2,2,2,2,2,2,2,2}>\n"
    "{ c = Conv<kernel_shape = [3,3], strides = [1,1]>(x, w)\n"
    "  y = MaxPool<kernel_shape = [2,2], strides = [2,2], pads = [0,0,0,0]>(c) }";

TEST_P(NetworkText, WeightsAreShownOnRequest) {
  const std::string without = network(kPooled, {"layers", "attrs"});
  EXPECT_THAT(without, AllOf(HasSubstr("node_of_c.kernel_size_nd = (3, 3)\n"),
                             HasSubstr("node_of_c.num_output_maps = 2\n"),
                             HasSubstr("node_of_y [Op: PoolingType.MAX]"),
                             HasSubstr("node_of_y.window_size_nd = (2, 2)"),
                             HasSubstr("node_of_y.pre_padding = (0, 0)"),
                             Not(HasSubstr("node_of_c.kernel = "))));
  const std::string with = network(kPooled, {"layers", "attrs", "weights"});
  EXPECT_THAT(with, AllOf(HasSubstr("node_of_c.bias = []\n"),
                          HasSubstr("node_of_c.kernel = [1. 1. 1. 1. 1. 1. 1. 1. 1. 2. 2. 2.")));
}

TEST_P(NetworkText, AsAGraphInAPage) {
  const Outcome seen = run({"inspect", "model", model(kSum), "--display-as", "trt", "--visual",
                            "--save-visual", "network.html"},
                           GetParam());
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(folder_.read("network.html"),
              AllOf(HasSubstr(" | TensorRT Network</title>"), HasSubstr("\"node_of_a\""),
                    HasSubstr("[\"op\",\"ElementWiseOperation.SUM\"]")));
}

}  // namespace
}  // namespace polygraphy::cli
