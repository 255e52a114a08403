#include "graphsurgeon/passes/prune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <numeric>
#include <random>

#include "base/arrays/convert.h"
#include "base/os/testdata/temporary_folder.h"
#include "graphsurgeon/io/load.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/onnx/onnx_text.h"
#include "graphsurgeon/passes/sparsity.h"

namespace graphsurgeon {
namespace {

using polygraphy::Logger;
using testing::ElementsAre;
using testing::ElementsAreArray;

std::vector<float> pruned(const Shape& shape, std::vector<float> values, size_t axis) {
  const auto payload =
      pruned_payload(owned_payload(Array::of<float>(shape, std::span<const float>(values))), axis);
  const Array result = payload->load("w");
  return {result.as<float>().begin(), result.as<float>().end()};
}

TEST(Prune, ZeroesTheTwoSmallestOfFour) {
  EXPECT_THAT(pruned({4}, {4, -1, 3, 2}, 0), ElementsAre(4, 0, 3, 0));
  EXPECT_THAT(pruned({8}, {-8, 7, -6, 5, 1, 2, 3, 4}, 0), ElementsAre(-8, 7, 0, 0, 0, 0, 3, 4));
}

TEST(Prune, TheFirstOfEqualsGoesFirst) {
  EXPECT_THAT(pruned({4}, {1, -1, 1, -1}, 0), ElementsAre(0, 0, 1, -1));
  EXPECT_THAT(pruned({4}, {2, 1, 2, 2}, 0), ElementsAre(0, 0, 2, 2));
}

TEST(Prune, InfinitiesAndNansOrderLast) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_THAT(pruned({4}, {inf, 1, -inf, inf}, 0), ElementsAre(0, 0, -inf, inf));
  const auto kept = pruned({4}, {std::nanf(""), 1, 2, 3}, 0);
  EXPECT_TRUE(std::isnan(kept[0]));
  EXPECT_EQ(kept[3], 3);
}

TEST(Prune, WorksAlongAnyAxis) {
  //                              columns are the groups
  EXPECT_THAT(pruned({4, 2}, {1, 8, 2, 7, 3, 6, 4, 5}, 0), ElementsAre(0, 8, 0, 7, 3, 0, 4, 0));
  EXPECT_THAT(pruned({1, 4, 1, 2}, {1, 8, 2, 7, 3, 6, 4, 5}, 1),
              ElementsAre(0, 8, 0, 7, 3, 0, 4, 0));
  EXPECT_THAT(pruned({2, 4}, {1, 2, 3, 4, 8, 7, 6, 5}, 1), ElementsAre(0, 0, 3, 4, 8, 7, 0, 0));
}

TEST(Prune, AnEmptyTensorStaysEmpty) {
  EXPECT_THAT(pruned({4, 0}, {}, 0), ElementsAre());
  EXPECT_THAT(pruned({0, 4}, {}, 0), ElementsAre());
}

// By the book: sort each group by magnitude.
std::vector<float> expected(const Shape& shape, std::vector<float> values, size_t axis) {
  size_t inner = 1;
  for (size_t i = axis + 1; i < shape.size(); ++i) inner *= static_cast<size_t>(shape[i]);
  for (size_t start = 0; start < values.size(); ++start) {
    if (start / inner % 4 != 0) continue;  // the axis is a multiple of four long
    std::vector<size_t> group = {start, start + inner, start + 2 * inner, start + 3 * inner};
    std::stable_sort(group.begin(), group.end(),
                     [&](size_t a, size_t b) { return std::abs(values[a]) < std::abs(values[b]); });
    values[group[0]] = values[group[1]] = 0;
  }
  return values;
}

TEST(Prune, PiecesMakeTheWhole) {
  std::mt19937 random(1);
  // Longer than a piece: rows of one, of few and of very many elements.
  for (const auto& [shape, axis] : {std::pair<Shape, size_t>{{3, 40000}, 1},
                                    {{64, 36, 3, 11}, 1},
                                    {{8, 70001}, 0},
                                    {{2, 4, 3}, 1}}) {
    std::vector<float> values(static_cast<size_t>(polygraphy::element_count(shape)));
    for (float& value : values) value = static_cast<float>(static_cast<int>(random() % 21) - 10);
    EXPECT_TRUE(pruned(shape, values, axis) == expected(shape, values, axis));
  }
}

// Prunes a pruned payload: pieces of other lengths arrive.
TEST(Prune, TakesWhatIsWorkedOutInPieces) {
  const Shape shape = {36, 3, 11, 64};
  std::vector<float> values(static_cast<size_t>(polygraphy::element_count(shape)));
  std::mt19937 random(3);
  for (float& value : values) value = static_cast<float>(random() % 21);
  const PayloadPtr owned = owned_payload(Array::of<float>(shape, std::span<const float>(values)));
  const PayloadPtr twice = pruned_payload(pruned_payload(owned, 0), 3);
  const Array result = twice->load("w");
  EXPECT_THAT(result.as<float>(), ElementsAreArray(expected(shape, expected(shape, values, 0), 3)));
}

TEST(Prune, HalfPrecisionTypesArePrunedByMagnitude) {
  for (const DataType dtype : {DataType::kFloat16, DataType::kBfloat16}) {
    const Array values =
        polygraphy::convert(Array::of<float>({2, 4}, {4, -1, 3, 2, 0.5, -9, 9, 0.25}), dtype);
    const Array result = pruned_payload(owned_payload(values), 1)->load("w");
    EXPECT_EQ(result.dtype(), dtype);
    std::vector<double> numbers;
    for (int64_t i = 0; i < 8; ++i) numbers.push_back(result.get_double(i));
    EXPECT_THAT(numbers, ElementsAre(4, 0, 3, 0, 0, -9, 9, 0));
  }
}

// Every pruned weight is sparse, and pruning it again changes nothing.
TEST(Prune, APrunedModelIsSparse) {
  std::mt19937 random(2);
  for (const DataType dtype : {DataType::kFloat32, DataType::kFloat16, DataType::kBfloat16}) {
    for (const size_t axis : {0u, 1u, 2u}) {
      const Shape shape = {4, 8, 12};
      Array values = Array::uninitialized(dtype, shape);
      auto* bytes = values.mutable_data();
      for (int64_t i = 0; i < values.nbytes(); ++i) bytes[i] = static_cast<std::byte>(random());
      const auto once = pruned_payload(owned_payload(values), axis);
      EXPECT_FALSE(is_sparse(*owned_payload(values), "w", axis));
      EXPECT_TRUE(is_sparse(*once, "w", axis));
      EXPECT_TRUE(bitwise_equal(once->load("w"), pruned_payload(once, axis)->load("w")));
    }
  }
}

TEST(Prune, ChangesNothingButTheWeights) {
  const char* text = R"(<ir_version: 8, opset_import: ["" : 17, "mine" : 1], producer_name: "me",
      metadata_props: ["key": "value"]>
    g (float[1,4] x) => (float[1,1] y) <float[4,1] w = {1, 2, 3, 4}, float[1] b = {7}>
    { h = MatMul (x, w)  s = mine.twice (h)  y = Add (s, b) }
    <domain: "mine", opset_import: ["" : 17]> twice (a) => (r) { r = Add (a, a) })";
  Model model = parse_onnx_text(text);
  Logger silent;
  EXPECT_EQ(prune(model, silent), 1u);
  const std::string before = to_onnx_text(parse_onnx_text(text));
  std::string expected = before;
  const auto replace = [&](const std::string& what, const std::string& with) {
    ASSERT_NE(expected.find(what), std::string::npos) << expected;
    expected.replace(expected.find(what), what.size(), with);
  };
  replace("\"me\"", "\"polygraphy surgeon prune\"");
  replace("{1,2,3,4}", "{0,0,3,4}");
  EXPECT_EQ(to_onnx_text(model), expected);
}

TEST(Prune, AModelWithoutCandidatesIsNotTouched) {
  Model model = parse_onnx_text("g (float[1] x) => (float[1] y) { y = Relu (x) }");
  Logger silent;
  EXPECT_EQ(prune(model, silent), 0u);
  EXPECT_TRUE(model.untouched());
}

TEST(Prune, WeightsInOtherFilesArePrunedWhileTheyAreCopied) {
  const polygraphy::TemporaryFolder folder;
  const char* text = R"(g (float[1,4] x) => (float[1,1] y) <float[4,1] w = {1, 2, 3, 4}>
    { y = MatMul (x, w) })";
  save_model(parse_onnx_text(text), folder.path() + "/m.onnx",
             {.external_data = "w.bin", .external_data_threshold = 0});
  Logger silent;
  for (const bool inline_again : {true, false}) {
    Model model = load_model(folder.path() + "/m.onnx");
    prune(model, silent);
    SaveOptions options;
    options.external_data_threshold = 0;
    if (!inline_again) options.external_data = "p.bin";
    save_model(model, folder.path() + "/p.onnx", options);
    const Model result = load_model(folder.path() + "/p.onnx");
    const auto& weight = result.graph->initializers().front();
    EXPECT_EQ(weight->payload()->external() == nullptr, inline_again);
    const Array values = weight->payload()->load("w").contiguous_aligned();
    EXPECT_THAT(values.as<float>(), ElementsAre(0, 0, 3, 4));
  }
}

}  // namespace
}  // namespace graphsurgeon
