#include "polygraphy/data/tensors/metadata.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy {
namespace {

TEST(Metadata, PrintsAsTheOriginalDoes) {
  EXPECT_EQ(to_text("x", {DataType::kFloat32, DimList{1, "N", Dim()}, ""}),
            "x [dtype=float32, shape=(1, 'N', -1)]");
  EXPECT_EQ(to_text("x", {DataType::kInt64, DimList{3}, ""}), "x [dtype=int64, shape=(3,)]");
  EXPECT_EQ(to_text("x", {DataType::kUndefined, DimList{}, ""}), "x [shape=()]");
  EXPECT_EQ(to_text("x", {DataType::kBool, std::nullopt, "a note"}), "x [dtype=bool, a note]");
  EXPECT_EQ(to_text("x", {}), "x");
  EXPECT_EQ(to_text(Metadata()), "{}");
  EXPECT_EQ(to_text(Metadata{{"x", {DataType::kFloat8E4M3FN, DimList{1}, ""}}, {"y", {}}}),
            "{x [dtype=float8e4m3fn, shape=(1,)],\n y}");
  EXPECT_EQ(bounded_shape_text({"N", 3}), "BoundedShape(['N', 3], min=None, max=None)");
}

TEST(Metadata, OfArrays) {
  EXPECT_EQ(to_text("x", info_of(Array::zeros(DataType::kUint8, {2, 0}))),
            "x [dtype=uint8, shape=(2, 0)]");
}

std::string parsed(const char* token, MetaParts parts = {}) {
  return to_text(parse_metadata({token}, parts));
}

TEST(ParseMetadata, Shapes) {
  EXPECT_EQ(parsed("x:[1,3]"), "{x [shape=(1, 3)]}");
  EXPECT_EQ(parsed("a:b:[ 1 , 'N', -1, batch]"), "{a:b [shape=(1, 'N', -1, 'batch')]}");
  EXPECT_EQ(parsed("x:[]"), "{x [shape=()]}");
  EXPECT_EQ(parsed("x:Auto"), "{x}");
  EXPECT_EQ(parsed("x:[1,2"), "{x [shape=(1, 2)]}");
  EXPECT_EQ(parsed("[1,2]"), "{[shape=(1, 2)]}");
  EXPECT_EQ(to_text(parse_metadata({"x:[1]", "y:[2]", "x:[3]"}, {})),
            "{x [shape=(3,)],\n y [shape=(2,)]}");
}

TEST(ParseMetadata, Types) {
  EXPECT_EQ(parsed("x:[1]:float32", {true, true}), "{x [dtype=float32, shape=(1,)]}");
  EXPECT_EQ(parsed("x:auto:auto", {true, true}), "{x}");
  EXPECT_EQ(parsed("x:Float16", {false, true}), "{x [dtype=float16]}");
}

std::string failure(const char* token, MetaParts parts = {}) {
  try {
    parse_metadata({token}, parts);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParseMetadata, NamesWhatItDoesNotUnderstand) {
  EXPECT_EQ(
      failure("x:3x4"),
      "Could not understand the shape in 'x:3x4': expected a list in brackets, but got '3x4'.");
  EXPECT_EQ(failure("x:[1.5,2]"),
            "Could not understand the shape in 'x:[1.5,2]': '1.5' is not a dimension.");
  EXPECT_EQ(failure("x:[[1,2],3]"),
            "Could not understand the shape in 'x:[[1,2],3]': brackets do not nest.");
  EXPECT_EQ(failure("x:[99999999999999999999]"),
            "Could not understand the shape in 'x:[99999999999999999999]': '99999999999999999999' "
            "is too large for a dimension.");
  EXPECT_EQ(
      failure("x:[1]", {true, true}),
      "Could not understand data type: [1] in 'x:[1]'. Did you forget to specify a data type?");
}

std::string suggestion(const std::string& token, MetaParts parts = {true, false}) {
  try {
    parse_metadata({token}, parts);
  } catch (const Error& error) {
    return error.hint().substr(0, error.hint().find('\n'));
  }
  return "none";
}

TEST(MetadataArguments, SuggestsTheSpellingThatWasMeant) {
  EXPECT_EQ(suggestion("a:3x128"), "Did you mean: a:[3,128]?");
  EXPECT_EQ(suggestion("a:(3,128)"), "Did you mean: a:[3,128]?");
  EXPECT_EQ(suggestion("a:[3x128]"), "Did you mean: a:[3,128]?");
  EXPECT_EQ(suggestion("a:[3 128]"), "Did you mean: a:[3,128]?");
  EXPECT_EQ(suggestion("a:[99999999999999999999]").find("Did you mean"), std::string::npos);
  EXPECT_EQ(suggestion("a:5"), "Did you mean: a:[5]?");
  EXPECT_EQ(suggestion("a:3x128,b:3x128"), "Did you mean: a:[3,128] b:[3,128]?");
  EXPECT_EQ(suggestion("a:[3,128],b:[N,128]"), "Did you mean: a:[3,128] b:[N,128]?");
  EXPECT_EQ(suggestion("a:1,3,8; b:(2,2) c:[7]"), "Did you mean: a:[1,3,8] b:[2,2] c:[7]?");
  EXPECT_EQ(suggestion("a:3x128:float32,b:[4]:int64", {true, true}),
            "Did you mean: a:[3,128]:float32 b:[4]:int64?");
  EXPECT_EQ(suggestion("a:3x128:float32", {true, true}), "Did you mean: a:[3,128]:float32?");
  EXPECT_EQ(suggestion("a", {true, true}), "Did you mean: a:auto:auto? Write NAME:SHAPE:TYPE.");
  EXPECT_EQ(suggestion("a", {false, true}), "Did you mean: a:auto? Write NAME:TYPE.");
  EXPECT_EQ(suggestion("a:[1]:fp16", {true, true}), "Did you mean: a:[1]:float16?");
  EXPECT_EQ(suggestion("a:[1]:flaot32", {true, true}), "Did you mean: a:[1]:float32?");
  EXPECT_EQ(suggestion("a:float32:[1]", {true, true}), "Write NAME:SHAPE:TYPE.");
}

}  // namespace
}  // namespace polygraphy
