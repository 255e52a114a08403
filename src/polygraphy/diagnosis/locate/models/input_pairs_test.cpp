#include "polygraphy/diagnosis/locate/models/input_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Partners = std::unordered_map<std::string, std::string>;

Metadata inputs_of(const std::vector<std::string>& texts) {
  return parse_metadata(texts, {.shape = true, .dtype = true});
}

std::vector<std::string> pairs_of(const Metadata& reference, const Metadata& target,
                                  const Partners& partners = {}) {
  std::vector<std::string> texts;
  for (const InputPair& pair :
       input_pairs({"float.onnx", reference}, {"int8.onnx", target}, partners))
    texts.push_back(pair.reference + " " + pair.target);
  return texts;
}

TEST(InputPairs, NamesCountMostThenPartnersThenTheOrder) {
  const Metadata reference = inputs_of({"a:[1,2]:float32", "b:[1,2]:float32", "c:[1,2]:float32"});
  EXPECT_THAT(pairs_of(reference, inputs_of({"c:[1,2]:float16", "x:[1,2]:float32"}), {{"x", "b"}}),
              ElementsAre("c c", "b x"));
  EXPECT_THAT(
      pairs_of(reference, inputs_of({"x:[1,2]:float32", "y:[1,2]:float32", "b:[1,2]:float32"})),
      ElementsAre("b b", "a x", "c y"));
}

TEST(InputPairs, IntegersOfOtherSizesAreAlike) {
  EXPECT_THAT(pairs_of(inputs_of({"ids:[1,8]:int64"}), inputs_of({"ids:[1,8]:int32"})),
              ElementsAre("ids ids"));
}

TEST(InputPairs, AnInputWithoutPartnerIsAnError) {
  const Metadata reference = inputs_of({"x:[1,2]:float32"});
  EXPECT_THAT(
      [&] { pairs_of(reference, inputs_of({"x:[1,2]:float32", "y:[3]:float32"})); },
      ThrowsMessage<Error>(HasSubstr(
          "'float.onnx' has no input like y [dtype=float32, shape=(3,)] of 'int8.onnx'; its "
          "inputs are: x [dtype=float32, shape=(1, 2)]")));
}

TEST(InputPairs, OfOneNameTheyMustFit) {
  for (const char* other : {"x:[1,3]:float32", "x:[1,2,1]:float32", "x:[1,2]:int32"}) {
    EXPECT_THAT([&] { pairs_of(inputs_of({"x:[1,2]:float32"}), inputs_of({other})); },
                ThrowsMessage<Error>(HasSubstr("'float.onnx' has x [dtype=float32, shape=(1, 2)], "
                                               "and 'int8.onnx' has x [dtype=")));
  }
}

TEST(InputPairs, SizesThatOneSideFixesCount) {
  const Metadata reference = inputs_of({"x:[1,-1]:float32", "other:[2]:float32"});
  const Metadata target = inputs_of({"x:[-1,7]:float16"});
  const auto pairs = input_pairs({"float.onnx", reference}, {"int8.onnx", target}, {});
  EXPECT_EQ(to_text("x", *common_inputs(reference, target, pairs).find("x")),
            "x [dtype=float32, shape=(1, 7)]");
  EXPECT_THAT(unpaired_inputs(reference, pairs), ElementsAre("other"));
}

}  // namespace
}  // namespace polygraphy
