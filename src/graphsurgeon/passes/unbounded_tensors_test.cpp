#include "graphsurgeon/passes/unbounded_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/onnx/onnx_text.h"

namespace graphsurgeon {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(const char* text) {
  const auto model = parse_onnx_text(text);
  std::vector<std::string> result;
  for (const Tensor* tensor : unbounded_tensors(*model.graph)) result.emplace_back(tensor->name());
  return result;
}

TEST(UnboundedTensors, AreComputedSizes) {
  EXPECT_THAT(
      names(R"(g (float[N] x, int64[1] s, int64 n) => (y) <int64 one = {1}, int64[1] fixed = {4}> {
                limit = Neg (n)
                r = Range (one, limit, one)
                p = Abs (s)
                t = Tile (x, p)
                e = Expand (x, fixed)
                q = Expand (x, s)
              })"),
      ElementsAre("limit", "p"));
}

TEST(UnboundedTensors, MinSetsABound) {
  EXPECT_THAT(names(R"(g (float[N] x, int64[1] s) => (y) <int64[1] most = {9}> {
                size = Min (s, most)
                y = Expand (x, size)
              })"),
              IsEmpty());
}

TEST(UnboundedTensors, KnownDimensionsAreBounded) {
  // The output has the input's own N: its size does not depend on data.
  EXPECT_THAT(
      names(
          R"(g (float[N] x, int64[1] s) => (float[N] y) { size = Abs (s) y = Expand (x, size) })"),
      IsEmpty());
  EXPECT_THAT(
      names(
          R"(g (float[N] x, int64[1] s) => (float[M] y) { size = Abs (s) y = Expand (x, size) })"),
      ElementsAre("size"));
  // M is new with the first of the two only.
  EXPECT_THAT(names(R"(g (float[N] x, int64[1] s) => (float[M] y, float[M] z) {
                a = Abs (s)
                y = Expand (x, a)
                b = Neg (s)
                z = Expand (x, b)
              })"),
              ElementsAre("a"));
}

TEST(UnboundedTensors, ComeInExecutionOrderOnce) {
  EXPECT_THAT(names(R"(g (float[N] x, int64[1] s) => (y) {
                late = Expand (early, b)
                b = Neg (a)
                a = Abs (s)
                early = Expand (x, a)
                again = Tile (x, a)
              })"),
              ElementsAre("a", "b"));
}

TEST(UnboundedTensors, CapturedTensorsOrderTheNodesAroundThem) {
  EXPECT_THAT(names(R"(g (bool c, float[N] x, int64[1] s) => (y) {
                o = If (c) <then_branch = t () => (v) { v = Identity (a) },
                            else_branch = e () => (w) { w = Identity (s) }>
                y = Expand (x, o)
                a = Abs (s)
                z = Expand (x, a)
              })"),
              ElementsAre("a", "o"));
}

TEST(UnboundedTensors, InputsWithoutShapeAreNoProblem) {
  EXPECT_THAT(
      names(R"(g (seq(float) list, int64[1] s) => (y) { size = Abs (s) y = Expand (s, size) })"),
      ElementsAre("size"));
}

TEST(UnboundedTensors, ACycleIsAnError) {
  EXPECT_THROW(names("g (float[N] x) => (y) { [n1] y = Add (x, z) z = Neg (y) }"),
               polygraphy::Error);
}

}  // namespace
}  // namespace graphsurgeon
