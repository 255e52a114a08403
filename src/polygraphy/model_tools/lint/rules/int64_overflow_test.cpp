#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;

TEST(Int64OverflowRule, NamesTheValue) {
  EXPECT_THAT(
      findings("int64-overflow", R"(g (int64[2] x) => (int64[2] y)
      <int64[1] fits = {2147483647}, int64[1] end = {9223372036854775807}, int64[2] k = {1, 3000000000}> {
        y = Add(x, k)
      })"),
      ElementsAre(
          ": Constant k holds 3000000000, which overflows in runtimes that compute in int32."));
}

}  // namespace
}  // namespace polygraphy
