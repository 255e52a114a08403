#include "polygraphy/data/inputs/constraints/input_ranges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "graphsurgeon/onnx/onnx_text.h"
#include "polygraphy/data/inputs/constraints/input_constraint.h"
#include "polygraphy/data/inputs/data_loader.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::parse_onnx_text;

// "ids: [0, 99]; mask: 0 or 1", and the log.
std::string ranges_of(const std::string& text, const OrderedMap<Shape>& shapes = {},
                      std::string* said = nullptr) {
  Model model = parse_onnx_text(text);
  Logger log([&](Severity, std::string_view message) {
    if (said != nullptr) said->append(message);
  });
  std::string result;
  for (const auto& [name, range] : input_ranges(model, shapes, log)) {
    result += (result.empty() ? "" : "; ") + name + ": " + range.text();
  }
  return result;
}

TEST(InputRanges, IndicesLieInTheAxis) {
  EXPECT_EQ(ranges_of("g (float[100,8] table, int64[2,3] ids) => (float[2,3,8] y) "
                      "{ y = Gather(table, ids) }"),
            "ids: [0, 99]");
  EXPECT_EQ(ranges_of("g (float[7,9] x, int64[7,2] i) => (float[7,2] y) "
                      "{ y = GatherElements <axis = 1> (x, i) }"),
            "i: [0, 8]");
  EXPECT_EQ(ranges_of("g (float[2,3,4] x, int64[5,2] i) => (float[5,4] y) "
                      "{ y = GatherND(x, i) }"),
            "i: ([0, 1], [0, 2])");
  EXPECT_EQ(ranges_of("g (float[2,3,4] x, int64[2,1] i) => (float[2,4] y) "
                      "{ y = GatherND <batch_dims = 1> (x, i) }"),
            "i: ([0, 2])");
  EXPECT_EQ(ranges_of("g (int64[5] i, float[2] v) => (float[5,12] y) "
                      "<int64 depth = {12}> { y = OneHot(i, depth, v) }"),
            "i: [0, 11]");
}

TEST(InputRanges, BoundsAreThoseOfTheShapesThatAreRun) {
  const char* text =
      "g (float[N,8] table, int64[K] ids) => (float[K,8] y) { y = Gather(table, ids) }";
  EXPECT_EQ(ranges_of(text, {{"table", {40, 8}}, {"ids", {3}}}), "ids: [0, 39]");
  EXPECT_EQ(ranges_of(text, {{"table", {5, 8}}, {"ids", {3}}}), "ids: [0, 4]");
}

TEST(InputRanges, RangesGoBackThroughWhatMovesValues) {
  EXPECT_EQ(ranges_of(R"(g (float[10,2] t, int32[4] a, int32[1] b) => (float[5,1,2] y)
    <int64[1] axes = {1}> {
      ca = Cast <to = 7> (a)
      cb = Cast <to = 7> (b)
      all = Concat <axis = 0> (ca, cb)
      column = Unsqueeze(all, axes)
      same = Identity(column)
      y = Gather(t, same)
    })"),
            "a: [0, 9]; b: [0, 9]");
  const auto through = [](const std::string& node) {
    return ranges_of("g (float[10] t, int64[4] a, float[1,1,4] x) => (y) <int64[1] one = {1}> { " +
                     node + " y = Gather(t, i) }");
  };
  EXPECT_EQ(through("i, place = TopK(a, one)"), "a: [0, 9]");
  EXPECT_EQ(through("numbers, i = TopK(a, one)"), "") << "places, not numbers";
  EXPECT_EQ(through("numbers, i = MaxPool <kernel_shape = [2]> (x)"), "");
}

TEST(InputRanges, ConstantsShiftBounds) {
  // Positions are shifted by two, as in OPT and RoBERTa.
  EXPECT_EQ(ranges_of(R"(g (float[10,2] t, int64[4] p) => (float[4,2] y)
    <int64 two = {2}> { q = Add(p, two)  y = Gather(t, q) })"),
            "p: [-2, 7]");
  EXPECT_EQ(ranges_of(R"(g (float[10,2] t, int64[4] p) => (float[4,2] y)
    <int64 nine = {9}> { q = Sub(nine, p)  y = Gather(t, q) })"),
            "p: [0, 9]");
  EXPECT_EQ(ranges_of(R"(g (float[10,2] t, int64[4] p) => (float[4,2] y)
    <int64 three = {3}> { q = Mul(p, three)  y = Gather(t, q) })"),
            "p: [0, 3]");
  EXPECT_EQ(ranges_of(R"(g (float[10,2] t, int64[4] p, int64[1] offset) => (float[4,2] y)
    { q = Add(p, offset)  y = Gather(t, q) })"),
            "p: [0, 4]; offset: [0, 4]");
}

TEST(InputRanges, ConstantsAreTakenExactly) {
  // A slice to the end, as exporters write it: to the largest int64.
  EXPECT_EQ(ranges_of(R"(g (float[9,2] t, int64[3] p) => (float[2,2] y)
    <int64[1] one = {1}, int64[1] end = {9223372036854775807}> {
      q = Slice(p, one, end)
      y = Gather(t, q)
    })"),
            "p: ([-inf, inf], [0, 8], [0, 8])");
  EXPECT_EQ(ranges_of(R"(g (float[9,2] t, int64[3] p) => (float[1,2] y)
    <int64[1] one = {1}, int64[1] end = {9223372036854775807}, int64[1] axis = {0}> {
      q = Slice(p, one, end, axis, end)
      y = Gather(t, q)
    })"),
            "p: ([-inf, inf], [0, 8], [-inf, inf])");
  // -0.5 is below the axis; 0 would not be.
  EXPECT_EQ(ranges_of(R"(g (float[9,2] t, float[3] p) => (float[3,2] y)
    <float low = {-0.5}, float high = {8}> {
      c = Clip(p, low, high)
      q = Cast <to = 7> (c)
      y = Gather(t, q)
    })"),
            "p: [0, 8]");
}

TEST(InputRanges, PlacesOfListsAreToldApart) {
  EXPECT_EQ(ranges_of(R"(g (float[3,4] x, int64[4] p) => (float[a,b] y)
    <int64[1] zero = {0}, int64[1] two = {2}, int64[1] four = {4}, int64[2] axes = {0, 1}> {
      starts = Slice(p, zero, two)
      ends = Slice(p, two, four)
      y = Slice(x, starts, ends, axes)
    })"),
            "p: (0, 0, [1, 3], [1, 4])");
}

TEST(InputRanges, ClassesOfAnEncodingThatIsSpelledOut) {
  EXPECT_EQ(ranges_of(R"(g (int32[1,6] bytes) => (bool[1,6,5] y)
    <int64[3] shape = {1, 6, 1}, int32[1,1,5] classes = {0, 1, 2, 3, 4}> {
      each = Reshape(bytes, shape)
      y = Equal(each, classes)
    })"),
            "bytes: [0, 4]");
  EXPECT_EQ(ranges_of(R"(g (int32[1,6] x) => (bool[1,6] y)
    <int32[1] pad = {3}> { y = Equal(x, pad) })"),
            "");
}

TEST(InputRanges, MasksAreZeroAndOne) {
  EXPECT_EQ(ranges_of(R"(g (float[2,4] x, int64[2,4] mask) => (float[2,4] y)
    <float one = {1.0}, float low = {-10000.0}> {
      m = Cast <to = 1> (mask)
      inverted = Sub(one, m)
      penalty = Mul(inverted, low)
      y = Add(x, penalty)
    })"),
            "mask: 0 or 1");
  EXPECT_EQ(ranges_of(R"(g (float[2,4] x, int64[2,4] mask) => (float[2,4] y)
    <float low = {-10000.0}> { m = Cast <to = 9> (mask)  y = Where(m, x, low) })"),
            "mask: 0 or 1");
  EXPECT_EQ(ranges_of(R"(g (float[2,4] x) => (float[2,4] y)
    <float one = {1.0}> { s = Sigmoid(x)  y = Sub(one, s) })"),
            "")
      << "a difference is not always a mask";
}

TEST(InputRanges, WhatConstantsDecideDemandsNothing) {
  EXPECT_EQ(ranges_of(R"(g (float[2] x, int64[1] i) => (float[1] y)
    <float one = {1.0}, float two = {2.0}> {
      folded = Sub(one, two)
      s = Mul(x, folded)
      y = Gather(s, i)
    })"),
            "i: [0, 1]");
}

TEST(InputRanges, PositionsCountedFromAMask) {
  EXPECT_EQ(ranges_of(R"(g (float[9,2] table, int64[1,4] mask) => (float[1,4,2] y)
    <int64 axis = {1}, int64 one = {1}> {
      counts = CumSum(mask, axis)
      positions = Sub(counts, one)
      y = Gather(table, positions)
    })"),
            "mask: 0 or 1");
}

TEST(InputRanges, ShapesFitTheData) {
  EXPECT_EQ(ranges_of("g (float[2,6] x, int64[3] s) => (float[3,2,2] y) { y = Reshape(x, s) }"),
            "s: (3, 2, 2)");
  EXPECT_EQ(ranges_of("g (float[2,6] x, int64[2] s) => (float[a,b] y) { y = Reshape(x, s) }"),
            "s: (2, 6)");
  EXPECT_EQ(ranges_of("g (float[2,6] x, int64[1] s) => (float[a] y) { y = Reshape(x, s) }"),
            "s: (12)");
  EXPECT_EQ(ranges_of("g (float[3,1] x, int64[3] s) => (float[a,b,c] y) { y = Expand(x, s) }"),
            "s: (1, 3, 1)");
  EXPECT_EQ(ranges_of("g (int64[2] s) => (float[a,b] y) { y = ConstantOfShape(s) }"), "s: [1, 4]");
}

TEST(InputRanges, SlicesPadsAndParts) {
  EXPECT_EQ(ranges_of(R"(g (float[5,6] x, int64[2] b, int64[2] e) => (float[p,q] y)
    { y = Slice(x, b, e) })"),
            "b: (0, 0); e: ([1, 5], [1, 6])");
  EXPECT_EQ(ranges_of(R"(g (float[5,6] x, int64[4] p) => (float[a,b] y)
    { y = Pad <mode = "reflect"> (x, p) })"),
            "p: (0, 0, 0, 0)");
  EXPECT_EQ(ranges_of(R"(g (float[7] x, int64[2] s) => (float[a] y, float[b] z)
    { y, z = Split(x, s) })"),
            "s: (3, 4)");
  EXPECT_EQ(ranges_of(R"(g (float[5,6] x, int64[1] k) => (float[5,n] y, int64[5,n] i)
    { y, i = TopK(x, k) })"),
            "k: [1, 6]");
  EXPECT_EQ(ranges_of(R"(g (float[5,1,6] x, int64[1] a) => (float[5,6] y)
    { y = Squeeze(x, a) })"),
            "a: (1)");
}

TEST(InputRanges, LengthsOfSequences) {
  EXPECT_EQ(ranges_of(R"(g (float[6,2,3] x, int32[2] lengths) => (float[6,1,2,4] y)
    <float[1,4,3] w = {0,0,0,0,0,0,0,0,0,0,0,0}, float[1,4,4] r = {0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}>
    { y = RNN <hidden_size = 4> (x, w, r, "", lengths) })"),
            "lengths: [1, 6]");
}

TEST(InputRanges, LoopsEnd) {
  EXPECT_EQ(ranges_of(R"(g (int64 n, bool go, float x) => (float y) {
      y = Loop (n, go, x) <body = b (int64 i, bool c, float v) => (bool d, float w) {
        d = Identity(c)
        w = Add(v, v)
      }>
    })"),
            "n: [1, 3]; go: 1");
  EXPECT_EQ(ranges_of("g (int64 a, int64 b, int64 d) => (int64[5] y) { y = Range(a, b, d) }"),
            "a: 0; b: 5; d: 1");
}

TEST(InputRanges, BodiesDemandOfWhatTheyUse) {
  EXPECT_EQ(ranges_of(R"(g (bool c, float[10,2] t, int64[4] p) => (float[4,2] y) {
      y = If (c) <
        then_branch = a () => (float[4,2] u) { u = Gather(t, p) },
        else_branch = b () => (float[4,2] v) { w = Gather(t, p)  v = Neg(w) }>
    })"),
            "p: [0, 9]");
  EXPECT_EQ(ranges_of(R"(g (float[10,2] t, int64[4] p) => (int64[4] z)
    <int64 n = {2}, bool go = {1}> {
      z = Loop (n, go, p) <body = b (int64 i, bool c, int64[4] q) => (bool d, int64[4] r) {
        d = Identity(c)
        u = Gather(t, q)
        r = Identity(q)
      }>
    })"),
            "p: [0, 9]");
}

TEST(InputRanges, FunctionsAreDefinedWhereTheyAreTaken) {
  EXPECT_EQ(ranges_of("g (float[4] x) => (float[4] y) { y = Log(x) }"), "x: [0.001, inf]");
  EXPECT_EQ(ranges_of("g (float[4] x) => (float[4] y) { n = Neg(x) y = Sqrt(n) }"), "x: [-inf, 0]");
  EXPECT_EQ(ranges_of("g (int32[4] a, int32[4] b) => (int32[4] y) { y = Div(a, b) }"),
            "b: [1, inf]");
  EXPECT_EQ(ranges_of("g (float[4] x) => (float[4] y) { y = Acos(x) }"), "x: [-1, 1]");
}

TEST(InputRanges, TheTighterDemandHolds) {
  std::string said;
  EXPECT_EQ(ranges_of(R"(g (float[10,2] t, float[4,2] s, int64[3] p) => (float[3,2] y)
    { a = Gather(t, p)  b = Gather(s, p)  y = Add(a, b) })",
                      {}, &said),
            "p: [0, 3]");
  EXPECT_EQ(said, "");
}

TEST(InputRanges, DemandsThatExcludeEachOtherAreSaid) {
  std::string said;
  EXPECT_EQ(ranges_of(R"(g (float[4,2] t, int64[3] p) => (float[3,2] y, float[3,2] z)
    <int64 ten = {10}> {
      q = Sub(p, ten)
      y = Gather(t, q)
      z = Gather(t, p)
    })",
                      {}, &said),
            "p: [0, 3]");
  EXPECT_NE(said.find("Tensor: p | Values in [10, 13]"), std::string::npos) << said;
}

TEST(InputRanges, OtherInputsAreUnconstrained) {
  EXPECT_EQ(ranges_of("g (float[4] x) => (float[4] y) { y = Relu(x) }"), "");
  EXPECT_EQ(ranges_of(R"(g (float[4,2] t, float[3,5] x) => (float[3,2] y)
    { i = ArgMax <axis = 1, keepdims = 0> (x)  y = Gather(t, i) })"),
            "");
}

TEST(InputConstraints, EveryFileIsInTheTable) {
  size_t files = 0;
  const std::string folder = PG_SOURCE_DIR "/src/polygraphy/data/inputs/constraints/operators";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files += entry.path().extension() == ".cpp" ? 1 : 0;
  }
  EXPECT_EQ(input_constraints().size(), files);
  std::set<std::string> ops;
  for (const InputConstraint* constraint : input_constraints()) {
    EXPECT_NE(constraint->add, nullptr);
    EXPECT_FALSE(constraint->ops.empty());
    for (const std::string_view op : constraint->ops) {
      ops.insert(std::string(constraint->domain) + ":" + std::string(op));
    }
  }
  EXPECT_TRUE(ops.contains(":Gather"));
  EXPECT_TRUE(ops.contains("ai.onnx.ml:LabelEncoder"));
}

class ValidLoader : public testing::Test {
 protected:
  ArrayMap generate(const std::string& text, const Metadata& inputs) {
    options_.model = [text] { return parse_onnx_text(text); };
    DataLoader loader(options_, log_);
    return tensors_of(loader.generate(0, inputs));
  }

  DataLoaderOptions options_;
  std::string said_;
  Logger log_{[this](Severity, std::string_view message) { said_.append(message) += '\n'; }};
};

constexpr const char* kEmbedding =
    "g (float[50,2] table, int64[N] ids, float[N] x) => (float[N,2] y) { y = Gather(table, ids) }";

Metadata embedding_inputs() {
  return {{"ids", {DataType::kInt64, DimList{Dim(200)}, {}}},
          {"x", {DataType::kFloat32, DimList{Dim(4)}, {}}}};
}

TEST_F(ValidLoader, ValuesFillTheDomain) {
  const ArrayMap feed = generate(kEmbedding, embedding_inputs());
  int64_t least = 100, most = -1;
  for (int64_t i = 0; i < 200; ++i) {
    least = std::min(least, feed.find("ids")->get_int64(i));
    most = std::max(most, feed.find("ids")->get_int64(i));
  }
  EXPECT_GE(least, 0);
  EXPECT_LE(least, 5);
  EXPECT_LE(most, 49);
  EXPECT_GE(most, 44);
  EXPECT_NE(said_.find("Input tensor: ids | Generating valid values: [0, 49] (indices into axis 0 "
                       "of 'table' (50), node '' (Gather))"),
            std::string::npos)
      << said_;
}

TEST_F(ValidLoader, TheSameSeedGivesTheSameValues) {
  const ArrayMap a = generate(kEmbedding, embedding_inputs());
  const ArrayMap b = generate(kEmbedding, embedding_inputs());
  EXPECT_TRUE(bitwise_equal(*a.find("ids"), *b.find("ids")));
  options_.seed = 2;
  const ArrayMap c = generate(kEmbedding, embedding_inputs());
  EXPECT_FALSE(bitwise_equal(*a.find("ids"), *c.find("ids")));
}

TEST_F(ValidLoader, ARangeOfTheUserCounts) {
  options_.val_range.set("", {10, 12});
  ArrayMap feed = generate(kEmbedding, embedding_inputs());
  for (int64_t i = 0; i < 200; ++i) {
    EXPECT_GE(feed.find("ids")->get_int64(i), 10);
    EXPECT_LE(feed.find("ids")->get_int64(i), 12);
  }
  options_.val_range.set("ids", {70, 70});
  feed = generate(kEmbedding, embedding_inputs());
  EXPECT_EQ(feed.find("ids")->get_int64(0), 70) << "said for this very input";
}

TEST_F(ValidLoader, NoRowIsMaskedWhole) {
  const ArrayMap feed =
      generate("g (int64[64,3] mask) => (bool[64,3] y) { y = Cast <to = 9> (mask) }",
               {{"mask", {DataType::kInt64, DimList{Dim(64), Dim(3)}, {}}}});
  int64_t ones = 0;
  for (int64_t i = 0; i < 192; ++i) {
    const int64_t value = feed.find("mask")->get_int64(i);
    EXPECT_TRUE(value == 0 || value == 1);
    if (i % 3 == 0) {
      EXPECT_EQ(value, 1);
    }
    ones += value;
  }
  EXPECT_GT(ones, 64);
  EXPECT_LT(ones, 192);
}

TEST_F(ValidLoader, PlacesToWriteToAreDistinct) {
  const ArrayMap feed = generate(
      "g (float[8,2] x, int64[8,1] i, float[8,2] u) => (float[8,2] y) { y = ScatterND(x, i, u) }",
      {{"i", {DataType::kInt64, DimList{Dim(8), Dim(1)}, {}}}});
  std::vector<int64_t> places;
  for (int64_t i = 0; i < 8; ++i) places.push_back(feed.find("i")->get_int64(i));
  std::sort(places.begin(), places.end());
  EXPECT_EQ(places, (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(ValidLoader, CategoriesAreKnownOnes) {
  const ArrayMap feed = generate(
      R"(<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 3]>
      g (string[20] x) => (int64[20] y) {
        y = ai.onnx.ml.LabelEncoder <keys_strings = ["a", "b"], values_int64s = [1, 2]> (x)
      })",
      {{"x", {DataType::kString, DimList{Dim(20)}, {}}}});
  for (const std::string& text : feed.find("x")->strings()) EXPECT_TRUE(text == "a" || text == "b");
}

constexpr const char* kMirror = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[N,L] x, float[L] scale) => (float[N,M] y) <int64[4] pads = {0, 3, 0, 0}> {
    scaled = Mul(x, scale)
    y = Pad <mode = "reflect"> (scaled, pads)
  })";

Metadata mirror_inputs() {
  return {{"x", {DataType::kFloat32, DimList{Dim("N"), Dim("L")}, {}}},
          {"scale", {DataType::kFloat32, DimList{Dim("L")}, {}}}};
}

TEST_F(ValidLoader, OpenDimensionsAreLongEnough) {
  ArrayMap feed = generate(kMirror, mirror_inputs());
  EXPECT_EQ(feed.find("x")->shape(), (Shape{1, 4}));
  EXPECT_EQ(feed.find("scale")->shape(), (Shape{4}));
  options_.model = {};
  feed = tensors_of(DataLoader(options_, log_).generate(0, mirror_inputs()));
  EXPECT_EQ(feed.find("x")->shape(), (Shape{1, 1})) << "the original's";
}

TEST_F(ValidLoader, DimensionsOfTheUserStayAndHoldForTheirNames) {
  options_.shapes.set("x", {DataType::kUndefined, DimList{Dim(2), Dim(3)}, {}});
  ArrayMap feed = generate(kMirror, mirror_inputs());
  EXPECT_EQ(feed.find("x")->shape(), (Shape{2, 3})) << "too short, but the user's";
  EXPECT_EQ(feed.find("scale")->shape(), (Shape{3}));
  options_.shapes.set("x", {DataType::kUndefined, DimList{Dim(2), Dim(9)}, {}});
  feed = generate(kMirror, mirror_inputs());
  EXPECT_EQ(feed.find("scale")->shape(), (Shape{9}));
}

TEST_F(ValidLoader, WhatATypeCannotHoldIsCut) {
  const ArrayMap feed = generate(
      "g (float[1000,2] t, uint8[300] b) => (float[300,2] y) "
      "{ i = Cast <to = 7> (b) y = Gather(t, i) }",
      {{"b", {DataType::kUint8, DimList{Dim(300)}, {}}}});
  EXPECT_EQ(feed.find("b")->dtype(), DataType::kUint8);
  int64_t most = 0;
  for (int64_t i = 0; i < 300; ++i) most = std::max(most, feed.find("b")->get_int64(i));
  EXPECT_GT(most, 200);
}

}  // namespace
}  // namespace polygraphy
