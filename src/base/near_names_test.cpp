#include "base/near_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Names = std::vector<std::string_view>;

TEST(NearNames, ByEditsThenPartsThenStemsThenAbbreviations) {
  EXPECT_THAT(near_names("conv_3", Names{"conv_1", "relu", "conv_2", "my/conv_3/out"}),
              ElementsAre("conv_1", "conv_2", "my/conv_3/out"));
  EXPECT_THAT(near_names("Exp", Names{"input", "/block.1/exp_12_output", "/Exp_1"}),
              ElementsAre("/block.1/exp_12_output", "/Exp_1"));
  EXPECT_THAT(near_names("/a/Sofmax_3", Names{"/layers.0/Softmax_169", "/layers.0/Add"}),
              ElementsAre("/layers.0/Softmax_169"));
  EXPECT_THAT(near_names("ov", Names{"onnxrt", "openvino"}), ElementsAre("openvino"));
  EXPECT_THAT(near_names("", Names{"onnxrt"}), IsEmpty());
  EXPECT_THAT(near_names("zebra", Names{"onnxrt"}), IsEmpty());
}

TEST(NearNames, SayWhatMayBeMeant) {
  EXPECT_EQ(did_you_mean("onxrt", Names{"onnxrt", "openvino"}), "Did you mean 'onnxrt'?");
  EXPECT_EQ(did_you_mean("c", Names{"ac", "bc", "cc", "dc"}), "Did you mean 'ac', 'bc' or 'cc'?");
  EXPECT_EQ(did_you_mean("zebra", Names{"onnxrt"}), "");
}

TEST(NearNames, LongListsAreShortened) {
  Names names = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  EXPECT_EQ(shortened(names), "a, b, c, d, e, f, g, h, i");
  names.push_back("elephant");
  EXPECT_EQ(shortened(names), "a, b, c, d, e, f, g, h and 2 more");
  EXPECT_EQ(unknown_name_hint("zebra", names, "Inputs"),
            "Inputs: a, b, c, d, e, f, g, h and 2 more.");
  EXPECT_EQ(unknown_name_hint("elefant", names, "Inputs"), "Did you mean 'elephant'?");
  EXPECT_EQ(unknown_name_hint("y", Names{"xy", "z"}, "Inputs"),
            "Did you mean 'xy'?\nInputs: xy, z.");
  EXPECT_EQ(unknown_name_hint("y", Names{}, "Inputs"), "");
}

}  // namespace
}  // namespace polygraphy
