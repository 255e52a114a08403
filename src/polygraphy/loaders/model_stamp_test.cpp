#include "polygraphy/loaders/model_stamp.h"

#include <gtest/gtest.h>

#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

TEST(ModelStamp, IsFoundInItsPlace) {
  std::string bytes = graphsurgeon::encode_model(
      graphsurgeon::parse_onnx_text("<ir_version: 14, opset_import: [\"far.away\": 3, \"\": 28]> g "
                                    "(float[2] x) => (float[2] y) { y = Relu (x) }"));
  const ModelStamp stamp = find_stamp(bytes);
  ASSERT_TRUE(stamp.ir_version && stamp.opset);
  EXPECT_EQ(stamp.ir_version->value, 14);
  EXPECT_EQ(stamp.opset->value, 28);
  ASSERT_EQ(stamp.ir_version->size, 1u);
  ASSERT_EQ(stamp.opset->size, 1u);
  bytes[stamp.ir_version->offset] = 13;
  bytes[stamp.opset->offset] = 26;
  EXPECT_EQ(find_stamp(bytes).ir_version->value, 13);
  EXPECT_EQ(find_stamp(bytes).opset->value, 26);
}

TEST(ModelStamp, OfANumberThatComesTwiceTheLastOneCounts) {
  const std::string bytes("\x08\x03\x3a\x00\x08\xac\x02", 7);
  const ModelStamp stamp = find_stamp(bytes);
  ASSERT_TRUE(stamp.ir_version);
  EXPECT_EQ(stamp.ir_version->value, 300);
  EXPECT_EQ(stamp.ir_version->offset, 5u);
  EXPECT_EQ(stamp.ir_version->size, 2u);
  EXPECT_FALSE(stamp.opset);
}

TEST(ModelStamp, AnOpsetThatIsImportedTwiceIsNone) {
  const std::string import("\x42\x02\x10\x15", 4), named(
                                                       "\x42\x0b\x0a\x07"
                                                       "ai.onnx\x10\x15",
                                                       13);
  EXPECT_EQ(find_stamp(import).opset->value, 21);
  EXPECT_EQ(find_stamp(named).opset->value, 21);
  EXPECT_FALSE(find_stamp(import + named).opset);
}

TEST(ModelStamp, IsNotFoundInWhatIsNoModel) {
  for (const std::string& bytes :
       {std::string(), std::string("version https://git-lfs.github.com/spec/v1\n"),
        std::string("\x08", 1), std::string("\x08\x03\x3a\x7f", 4)}) {
    EXPECT_FALSE(find_stamp(bytes).ir_version);
    EXPECT_FALSE(find_stamp(bytes).opset);
  }
}

}  // namespace
}  // namespace polygraphy
