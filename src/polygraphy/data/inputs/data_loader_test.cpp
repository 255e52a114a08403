#include "polygraphy/data/inputs/data_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/arrays/numpy_text.h"
#include "base/error.h"
#include "polygraphy/data/inputs/data_loader_errors.h"
#include "polygraphy/data/tensors/flat_names.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class DataLoaderTest : public testing::Test {
 protected:
  DataLoaderTest() { log_.set_severity(Severity::kInfo); }

  ArrayMap generate(const Metadata& inputs, int64_t index = 0) {
    return flatten(DataLoader(options_, log_).generate(index, inputs));
  }
  std::string one(DataType type, DimList shape) {
    return numpy_str(generate({{"x", {type, std::move(shape), ""}}}).at_index(0).second);
  }
  std::string failure(const Metadata& inputs, int64_t index = 0) {
    try {
      generate(inputs, index);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  DataLoaderOptions options_;
  std::vector<std::string> lines_;
  Logger log_{[this](Severity, std::string_view text) { lines_.emplace_back(text); }};
};

TEST_F(DataLoaderTest, NamesOfShapesThatNoInputHasAreKnown) {
  options_.shapes = {{"y", {DataType::kUndefined, DimList{3}, ""}},
                     {"*", {DataType::kUndefined, DimList{3}, ""}}};
  DataLoader loader(options_, log_);
  loader.generate(0, {{"x", {DataType::kFloat32, DimList{Dim("N")}, ""}}});
  EXPECT_THAT(loader.unmatched_shapes(), ElementsAre("y"));
}

// A shape would not help.
TEST_F(DataLoaderTest, MapsComeFromFiles) {
  try {
    generate({{"m", {DataType::kFloat32, {}, {}, {}, ValueKind::kMap}}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), kInputTypeNotGenerated);
    EXPECT_THAT(error.what(), HasSubstr("It is a map, and maps cannot be generated."));
    EXPECT_EQ(error.hint(), "Load it from a file, as the arrays 'm.keys' and 'm.values'.");
  }
}

TEST_F(DataLoaderTest, TheNameOfAnInputIsNoWildcard) {
  options_.shapes = {{"x[0]", {DataType::kUndefined, DimList{3}, ""}}};
  const DimList open{Dim("N")};
  const ArrayMap feed =
      generate({{"x[0]", {DataType::kFloat32, open, ""}}, {"x0", {DataType::kFloat32, open, ""}}});
  EXPECT_EQ(feed.find("x[0]")->shape(), Shape{3});
  EXPECT_EQ(feed.find("x0")->shape(), Shape{1});
}

// The values are those of the original with the same seed.

TEST_F(DataLoaderTest, FillsInputsInTheirOrderFromOneGenerator) {
  const ArrayMap feed = generate({{"a", {DataType::kFloat32, DimList{2}, ""}},
                                  {"b", {DataType::kInt64, DimList{3}, ""}},
                                  {"c", {DataType::kFloat16, DimList{1, 2}, ""}}});
  EXPECT_EQ(numpy_str(feed.at_index(0).second), "[0.417022  0.7203245]");
  EXPECT_EQ(numpy_str(feed.at_index(1).second), "[1 1 1]");
  EXPECT_EQ(numpy_str(feed.at_index(2).second), "[[0.999  0.2361]]");
  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_THAT(lines_.front(), HasSubstr("[W] Input tensor: b | All values are 0 or 1"));
}

TEST_F(DataLoaderTest, IterationsAndSeedsDiffer) {
  const Metadata inputs = {{"x", {DataType::kFloat64, DimList{2}, ""}}};
  EXPECT_EQ(numpy_str(generate(inputs, 1).at_index(0).second), "[0.4359949  0.02592623]");
  options_.seed = 2;
  EXPECT_EQ(numpy_str(generate(inputs, 0).at_index(0).second), "[0.4359949  0.02592623]");
  options_.seed = std::numeric_limits<uint32_t>::max();
  EXPECT_EQ(failure(inputs, 1),
            "Seed must be between 0 and 2**32 - 1, but iteration 1 needs seed 4294967296.");
}

TEST_F(DataLoaderTest, EveryTypeGetsValuesOfItsOwn) {
  for (DataType type : all_data_types()) {
    const ArrayMap feed = generate({{"x", {type, DimList{5}, ""}}});
    EXPECT_EQ(feed.at_index(0).second.dtype(), type);
    EXPECT_EQ(feed.at_index(0).second.size(), 5);
  }
  EXPECT_EQ(one(DataType::kBool, {4}), "[ True False  True False]");
  EXPECT_EQ(one(DataType::kBfloat16, {2}), "[0.417969 0.71875]");
  EXPECT_EQ(one(DataType::kString, {1}), "['0.417022004702574']");
  EXPECT_EQ(one(DataType::kUndefined, {1}), "[0.417022]");
}

TEST_F(DataLoaderTest, RangesAreInclusiveAndPerInput) {
  options_.val_range.set("", {-3, 3});
  options_.val_range.set("y", {0.5, 0.5});
  const ArrayMap feed = generate(
      {{"x", {DataType::kInt8, DimList{8}, ""}}, {"y", {DataType::kFloat32, DimList{2}, ""}}});
  EXPECT_EQ(numpy_str(feed.at_index(0).second), "[ 2  1 -2 -1  0 -3  1 -3]");
  EXPECT_EQ(numpy_str(feed.at_index(1).second), "[0.5 0.5]");
}

TEST_F(DataLoaderTest, TheGreatestIntegersCanBeAskedFor) {
  options_.val_range.set("", {9223372036854775807.0, 9223372036854775807.0});
  EXPECT_EQ(one(DataType::kInt64, {1}), "[9223372036854775807]");
}

TEST_F(DataLoaderTest, InfiniteRanges) {
  options_.val_range.set("", {0, std::numeric_limits<double>::infinity()});
  EXPECT_EQ(one(DataType::kFloat32, {2}), "[inf inf]");
}

TEST_F(DataLoaderTest, RangesBeyond64BitsAreShownWhole) {
  options_.val_range.set("", {-1e20, 1e30});
  EXPECT_EQ(failure({{"x", {DataType::kInt64, DimList{1}, ""}}}),
            "Input tensor: x | Cannot generate values in range [-100000000000000000000, "
            "1000000000000000019884624838656]: int64 holds values from -9223372036854775808 to "
            "9223372036854775807.");
}

TEST_F(DataLoaderTest, RangesThatDoNotFit) {
  options_.val_range.set("", {0, 300});
  EXPECT_EQ(
      failure({{"x", {DataType::kInt8, DimList{1}, ""}}}),
      "Input tensor: x | Cannot generate values in range [0, 300]: int8 holds values from -128 "
      "to 127.");
  options_.val_range.set("", {2, 1});
  EXPECT_EQ(
      failure({{"x", {DataType::kInt32, DimList{1}, ""}}}),
      "Input tensor: x | Cannot generate values in range [2, 1]: the lower bound is greater than "
      "the upper one.");
}

TEST_F(DataLoaderTest, DynamicDimensionsBecomeOneWithAWarning) {
  const ArrayMap feed = generate({{"x", {DataType::kFloat32, DimList{"N", 2, Dim()}, ""}}});
  EXPECT_EQ(feed.at_index(0).second.shape(), (Shape{1, 2, 1}));
  EXPECT_THAT(
      lines_,
      ElementsAre("[W] Input tensor: x [shape=BoundedShape(['N', 2, -1], min=None, max=None)] | "
                  "Will generate data of shape: [1, 2, 1].\n"
                  "    If this is incorrect, please provide a custom data loader."));
}

TEST_F(DataLoaderTest, UserShapesMayBeWildcards) {
  options_.shapes.set("x*", {DataType::kUndefined, DimList{2, 3}, ""});
  const ArrayMap feed = generate({{"x1", {DataType::kFloat32, DimList{"N", 3}, ""}},
                                  {"y", {DataType::kFloat32, DimList{1}, ""}}});
  EXPECT_EQ(feed.at_index(0).second.shape(), (Shape{2, 3}));
  EXPECT_THAT(lines_, ElementsAre("[I] Will generate inference input data according to provided "
                                  "TensorMetadata: {x* [shape=(2, 3)]}"));
}

TEST_F(DataLoaderTest, UserShapesThatDoNotFitAreLeftOut) {
  options_.shapes.set("x", {DataType::kUndefined, DimList{2, 4}, ""});
  options_.shapes.set("inp", {DataType::kUndefined, DimList{2}, ""});
  options_.shapes.set("z*", {DataType::kUndefined, DimList{2}, ""});
  options_.val_range.set("w", {0, 1});
  const ArrayMap feed = generate({{"x", {DataType::kFloat32, DimList{1, 3}, ""}},
                                  {"input", {DataType::kFloat32, DimList{1}, ""}}});
  EXPECT_EQ(feed.at_index(0).second.shape(), (Shape{1, 3}));
  EXPECT_THAT(lines_, ElementsAre(HasSubstr("Will generate"),
                                  "[W] Input tensor: inp | Metadata was provided, but the input "
                                  "does not exist in one or more "
                                  "runners.\n    Maybe you meant to set: input?",
                                  "[W] Input tensor wildcard: z* | Metadata was provided, but none "
                                  "of the matched inputs exist "
                                  "in one or more runners.",
                                  "[W] Input tensor: x [shape=BoundedShape([1, 3], min=None, "
                                  "max=None)] | Cannot use provided "
                                  "custom shape: BoundedShape([2, 4], min=None, max=None) to "
                                  "override tensor shape. Will use "
                                  "default shape instead.",
                                  "[W] Extra items in val_range: {'w'}.\n    Note: items requested "
                                  "were: {'', 'x', 'input'}, "
                                  "but all items are: {'w'}"));
}

TEST_F(DataLoaderTest, StrictShapesThatDoNotFitAreErrors) {
  options_.strict_shapes = true;
  const Metadata inputs = {{"input", {DataType::kFloat32, DimList{1, 3}, ""}}};
  options_.shapes.set("inp", {DataType::kUndefined, DimList{2}, ""});
  EXPECT_EQ(failure(inputs), "No input is named 'inp'");
  options_.shapes.set("input", {DataType::kUndefined, DimList{1, 3}, ""});
  EXPECT_EQ(generate(inputs).size(), 1u) << "one of the names exists";
  options_.shapes.set("input", {DataType::kUndefined, DimList{1, 4}, ""});
  EXPECT_EQ(failure(inputs),
            "Input tensor: input | It cannot have the shape [1, 4]: its shape in the model is "
            "[1, 3]");
  options_.shapes = {{"*", {DataType::kUndefined, DimList{1, 4}, ""}}};
  EXPECT_EQ(generate(inputs).size(), 1u);
}

TEST_F(DataLoaderTest, ShapesOfShapeTensorsAreTheirValues) {
  options_.shapes.set("x", {DataType::kUndefined, DimList{2, 4, 8}, ""});
  EXPECT_EQ(one(DataType::kInt32, {3}), "[2 4 8]");
  EXPECT_THAT(
      lines_.back(),
      "[I] Assuming x is a shape tensor. Setting input values to: [2 4 8]. If these values are "
      "not correct, please set it correctly in 'input_metadata' or by providing "
      "--input-shapes");
}

TEST_F(DataLoaderTest, AnUnknownShapeNeedsTheUser) {
  EXPECT_THAT(failure({{"x", {DataType::kFloat32, std::nullopt, ""}}}), HasSubstr("unknown"));
  options_.shapes.set("x", {DataType::kUndefined, DimList{2}, ""});
  EXPECT_EQ(generate({{"x", {DataType::kFloat32, std::nullopt, ""}}}).at_index(0).second.shape(),
            (Shape{2}));
}

TEST_F(DataLoaderTest, DeprecatedRangesOverrideByKind) {
  options_.int_range.set("", {5, 5});
  options_.float_range.set("", {-1, -1});
  EXPECT_EQ(one(DataType::kInt32, {2}), "[5 5]");
  EXPECT_EQ(one(DataType::kFloat32, {2}), "[-1. -1.]");
  EXPECT_EQ(one(DataType::kBool, {1}), "[ True]");
}

TEST_F(DataLoaderTest, ASequenceIsItsItems) {
  TensorInfo sequence{DataType::kInt64, std::nullopt, ""};
  sequence.item_shape = DimList{"N", 3};
  const Metadata inputs = {{"s", sequence}, {"x", {DataType::kFloat32, DimList{1}, ""}}};
  const auto made = [&] { return to_text(metadata_of(generate(inputs))); };
  EXPECT_EQ(made(),
            "{s[0] [dtype=int64, shape=(1, 3)],\n s[1] [dtype=int64, shape=(1, 3)],\n "
            "x [dtype=float32, shape=(1,)]}");
  options_.announce_shapes = false;
  lines_.clear();
  // For each of them, and for some.
  options_.shapes = parse_metadata({"s:[4,3]"}, {});
  EXPECT_THAT(made(),
              HasSubstr("s[0] [dtype=int64, shape=(4, 3)],\n s[1] [dtype=int64, shape=(4, 3)]"));
  options_.shapes = parse_metadata({"s:[4,3]", "s[2]:[5,3]"}, {});
  EXPECT_THAT(made(),
              HasSubstr("s[1] [dtype=int64, shape=(4, 3)],\n s[2] [dtype=int64, shape=(5, 3)]"));
  options_.val_range = {{"s", {7, 7}}, {"s[1]", {8, 8}}};
  const ArrayMap feed = generate(inputs);
  EXPECT_EQ(feed.find("s[0]")->get_int64(0), 7);
  EXPECT_EQ(feed.find("s[1]")->get_int64(0), 8);
  EXPECT_THAT(lines_, IsEmpty());
  options_.shapes = parse_metadata({"s[0]:[4,5]"}, {});
  EXPECT_EQ(made().find("s[1]"), std::string::npos) << "one item was asked for";
  EXPECT_THAT(lines_.front(), HasSubstr("Cannot use provided custom shape"));
}

}  // namespace
}  // namespace polygraphy
