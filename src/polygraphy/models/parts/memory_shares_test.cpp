#include "polygraphy/models/parts/memory_shares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graphsurgeon/onnx/onnx_text.h"

namespace polygraphy {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(MemoryShares, WeightsOfBodiesAndConstantNodesCount) {
  const graphsurgeon::Model model = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[3] x, bool c) => (float[3] z) <float[3] w = {1, 2, 3}> {
        k = Constant <value = float[5] {1, 2, 3, 4, 5}> ()
        y = Add (x, w)
        z = If (c) <then_branch = t () => (float[3] a) <float[3] v = {4, 5, 6}> {
                      a = Add (y, v)
                    }, else_branch = e () => (float[3] b) { b = Identity (y) }>
      })");
  EXPECT_EQ(weight_bytes(model), 12 + 20 + 12);
}

TEST(MemoryShares, AnEngineHasWeightsTwice) {
  const uint64_t alone = bytes_without_model(1);
  EXPECT_TRUE(weights_fit(100 * kMiB, alone + 200 * kMiB, 1));
  EXPECT_FALSE(weights_fit(100 * kMiB + 1, alone + 200 * kMiB, 1));
  EXPECT_FALSE(weights_fit(100 * kMiB, alone + 200 * kMiB, 2));
  EXPECT_TRUE(weights_fit(kMiB / 2, kMiB, 1)) << "no limit is low enough to cut it";
}

TEST(MemoryShares, PartsShareWhatEnginesLeave) {
  EXPECT_EQ(part_bytes_within(bytes_without_model(1) + 400 * kMiB, 1), 100 * kMiB);
  EXPECT_EQ(part_bytes_within(bytes_without_model(2) + 800 * kMiB, 2), 100 * kMiB);
  EXPECT_THAT([] { part_bytes_within(100 * kMiB, 1); },
              ThrowsMessage<Error>(HasSubstr("take 256 MiB, but the memory limit is 100 MiB")));
}

TEST(MemoryShares, AWeightThatDoesNotFitIsNamed) {
  graphsurgeon::Model model = graphsurgeon::parse_onnx_text(
      R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[1] x) => (float[1] y) <float[1] small = {1}> { y = Add (x, small) })");
  const uint64_t limit = bytes_without_model(1) + 4 * kMiB;
  EXPECT_NO_THROW(require_each_fits(model, bytes_left(limit, 1), limit));
  model.graph->mutable_initializers().push_back(
      model.graph->constant("large", Array::zeros(DataType::kFloat32, {3 << 18})));
  EXPECT_THAT(
      [&] { require_each_fits(model, bytes_left(limit, 1), limit); },
      ThrowsMessage<Error>(HasSubstr("The weight 'large' alone takes 6 MiB in an engine, but "
                                     "the memory limit of 260 MiB leaves 4 MiB for it")));
}

}  // namespace
}  // namespace polygraphy
