#include "polygraphy/models/loaders/model_header.h"

#include <gtest/gtest.h>

#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

TEST(ModelHeader, IsFoundInItsPlace) {
  std::string bytes = graphsurgeon::encode_model(
      graphsurgeon::parse_onnx_text("<ir_version: 14, opset_import: [\"far.away\": 3, \"\": 28]> g "
                                    "(float[2] x) => (float[2] y) { y = Relu (x) }"));
  const ModelHeader header = find_header(bytes);
  ASSERT_TRUE(header.ir_version && header.opset);
  EXPECT_EQ(header.ir_version->value, 14);
  EXPECT_EQ(header.opset->value, 28);
  ASSERT_EQ(header.ir_version->size, 1u);
  ASSERT_EQ(header.opset->size, 1u);
  bytes[header.ir_version->offset] = 13;
  bytes[header.opset->offset] = 26;
  EXPECT_EQ(find_header(bytes).ir_version->value, 13);
  EXPECT_EQ(find_header(bytes).opset->value, 26);
}

TEST(ModelHeader, OfANumberThatComesTwiceTheLastOneCounts) {
  const std::string bytes("\x08\x03\x3a\x00\x08\xac\x02", 7);
  const ModelHeader header = find_header(bytes);
  ASSERT_TRUE(header.ir_version);
  EXPECT_EQ(header.ir_version->value, 300);
  EXPECT_EQ(header.ir_version->offset, 5u);
  EXPECT_EQ(header.ir_version->size, 2u);
  EXPECT_FALSE(header.opset);
}

TEST(ModelHeader, AnOpsetThatIsImportedTwiceIsNone) {
  const std::string import("\x42\x02\x10\x15", 4), named(
                                                       "\x42\x0b\x0a\x07"
                                                       "ai.onnx\x10\x15",
                                                       13);
  EXPECT_EQ(find_header(import).opset->value, 21);
  EXPECT_EQ(find_header(named).opset->value, 21);
  EXPECT_FALSE(find_header(import + named).opset);
}

TEST(ModelHeader, IsNotFoundInWhatIsNoModel) {
  for (const std::string& bytes :
       {std::string(), std::string("version https://git-lfs.github.com/spec/v1\n"),
        std::string("\x08", 1), std::string("\x08\x03\x3a\x7f", 4)}) {
    EXPECT_FALSE(find_header(bytes).ir_version);
    EXPECT_FALSE(find_header(bytes).opset);
  }
}

}  // namespace
}  // namespace polygraphy
