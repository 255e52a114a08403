#include <gmock/gmock.h>

#include "polygraphy/model_tools/lint/testdata/rule_test.h"

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Float64ConstantsRule, OnlyWhereNoInputIs) {
  const char* const body = R"( => (float[2] y) <double[1] w = {1}> {
    v = Cast <to = 1> (w)
    y = Add(v, v)
  })";
  EXPECT_THAT(findings("float64-constants", (std::string("g (float[2] x)") + body).c_str()),
              ElementsAre(HasSubstr("Constant w is float64 (1 elements)")));
  EXPECT_THAT(findings("float64-constants", (std::string("g (double[2] x)") + body).c_str()),
              IsEmpty());
}

}  // namespace
}  // namespace polygraphy
