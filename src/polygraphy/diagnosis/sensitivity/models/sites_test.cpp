#include "polygraphy/diagnosis/sensitivity/models/sites.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;

std::vector<Site> sites_of(const std::string& constants, const std::string& nodes) {
  const std::string text =
      "<ir_version: 8, opset_import: [\"\": 17, \"com.microsoft\": 1]> g "
      "(float[1, 1] x, float[1, 2] r, float[2, 1, 1] w) => (float[1, 1] y) <" +
      constants + "> {" + nodes + "}";
  return find_sites(graphsurgeon::parse_onnx_text(text.c_str()), false);
}

std::vector<std::string> weights_of(const std::vector<Site>& sites) {
  std::vector<std::string> names;
  for (const Site& site : sites) names.push_back(site.weight);
  return names;
}

const std::string kExperts =
    "float[2, 1, 1] a = {1, 2}, float[2, 1, 1] b = {1, 2}, float[2, 1, 1] c = {1, 2}, float[2, 1] "
    "bias = {1, 2}";

TEST(Sites, EachWeightOfExpertsIsALayer) {
  const auto sites =
      sites_of(kExperts, "y = com.microsoft.MoE<k = 1>(x, r, a, bias, b, bias, c, bias)");
  EXPECT_THAT(weights_of(sites), ElementsAre("a", "b", "c"));
  for (size_t i = 0; i < sites.size(); ++i) {
    EXPECT_EQ(sites[i].part, i + 1);
    EXPECT_EQ(sites[i].channel_axis, 1);
    EXPECT_EQ(sites[i].reduced_axis, 2);
    EXPECT_EQ(sites[i].nodes.front().weight_slot, 2 + 2 * i);
    EXPECT_EQ(sites[i].nodes.front().activation, "") << "it stays in floating point";
  }
  EXPECT_TRUE(any_experts(sites));
}

TEST(Sites, OneWeightInTwoPartsIsTwoLayersThatShareIt) {
  const auto sites = sites_of(kExperts, "y = com.microsoft.MoE<k = 1>(x, r, a, , a)");
  EXPECT_THAT(weights_of(sites), ElementsAre("a", "a"));
  EXPECT_TRUE(sites[0].shared && sites[1].shared);
}

TEST(Sites, WeightsOfAllLayers) {
  const std::string constants =
      "float[2, 3] a = {1, 2, 3, 4, 5, 6}, float[2, 1, 1, 1] k = {1, 2}, float[1, 2, 1, 1] o = {0, "
      "0}";
  const auto axes_of = [&](const std::string& nodes) {
    const auto sites = sites_of(constants, nodes);
    EXPECT_EQ(sites.size(), 1u) << nodes;
    const Site& site = sites.at(0);
    return std::vector<int64_t>{site.channel_axis, site.reduced_axis,
                                static_cast<int64_t>(site.nodes[0].weight_slot)};
  };
  EXPECT_THAT(axes_of("y = MatMul(x, a)"), ElementsAre(1, 0, 1));
  EXPECT_THAT(axes_of("y = MatMul(a, x)"), ElementsAre(0, 1, 0));
  EXPECT_THAT(axes_of("y = Gemm<transB = 1>(x, a)"), ElementsAre(0, 1, 1));
  EXPECT_THAT(axes_of("y = Gemm<transA = 1>(a, x)"), ElementsAre(1, 0, 0));
  EXPECT_THAT(axes_of("y = Conv(x, k)"), ElementsAre(0, 1, 1));
  EXPECT_THAT(axes_of("y = ConvTranspose(x, k)"), ElementsAre(1, 0, 1));
  EXPECT_THAT(axes_of("y = DeformConv(x, k, o)"), ElementsAre(0, 1, 1));
}

TEST(Sites, WeightsThatAreInputsAreNone) {
  EXPECT_THAT(weights_of(sites_of(kExperts, "y = com.microsoft.MoE<k = 1>(x, r, w, , b)")),
              ElementsAre("b"));
  EXPECT_TRUE(sites_of(kExperts, "y = MoE<k = 1>(x, r, a, , b)").empty()) << "of another domain";
}

}  // namespace
}  // namespace polygraphy
