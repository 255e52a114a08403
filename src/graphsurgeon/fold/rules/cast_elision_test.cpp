#include "graphsurgeon/fold/testdata/folding.h"

namespace graphsurgeon {
namespace {

using testing::HasSubstr;

// Integers from `source`, through `node` in float32, and back.
std::string round_trip(const std::string& source, const std::string& node,
                       const std::string& constants = "float k = {2}") {
  return "<ir_version: 8, opset_import: [\"\" : 17]> g (float[2, 100] x, int64[2] n) => (int64[M] "
         "y) <" +
         constants + "> { " + source + " f = Cast <to = 1> (i) r = " + node +
         " y = Cast <to = 7> (r) }";
}
constexpr const char* kSmall = "i = ArgMax <axis = 1, keepdims = 0> (x)";  // 0 to 99

TEST(CastElision, ExactArithmeticNeedsNoFloats) {
  const Folded folded = fold(round_trip(kSmall, "Mul (f, k)"));
  EXPECT_EQ(folded.nodes, "i = ArgMax(x); y = Mul(i, k_as_integer)");
  EXPECT_EQ(folded.constant("k_as_integer"), "int64[]{2}");
  EXPECT_EQ(folded.rules(), "cast-elision");
}

TEST(CastElision, NumbersAreAsSmallWhereverTheyAreMoved) {
  const auto scattered = [](const std::string& attributes) {
    return fold(round_trip("a = ArgMax <axis = 1, keepdims = 0> (x) i = ScatterElements " +
                               attributes + "(a, at, u)",
                           "Mul (f, k)", "float k = {2}, int64[1] at = {1}, int64[1] u = {5}"))
        .nodes;
  };
  EXPECT_EQ(scattered(""),
            "a = ArgMax(x); i = ScatterElements(a, at, u); y = Mul(i, k_as_integer)");
  EXPECT_THAT(scattered("<reduction = \"add\"> "), HasSubstr("r = Mul(f, k)"));
}

// Truncating the rounded quotient of two small integers is dividing them.
TEST(CastElision, QuotientsThatAreTruncated) {
  EXPECT_EQ(fold(round_trip(kSmall, "Div (f, k)")).nodes,
            "i = ArgMax(x); y = Div(i, k_as_integer)");
  EXPECT_EQ(fold(round_trip(kSmall, "Div (k, f)")).nodes,
            "i = ArgMax(x); f = Cast(i); r = Div(k, f); y = Cast(r)")
      << "the divisor may be 0";
}

TEST(CastElision, FractionsAreNotTruncated) {
  EXPECT_THAT(fold(round_trip(kSmall, "Mul (f, k)", "float k = {0.5}")).nodes,
              HasSubstr("r = Mul(f, k)"));
}

TEST(CastElision, IntegersThatFloatsMayRoundStay) {
  EXPECT_THAT(fold(round_trip("i = Identity (n)", "Mul (f, k)")).nodes, HasSubstr("r = Mul(f, k)"));
  EXPECT_THAT(fold(round_trip(kSmall, "Mul (f, k)", "float k = {1000000}")).nodes,
              HasSubstr("r = Mul(f, k)"))
      << "the product passes 2^24";
}

TEST(CastElision, ComparisonsKeepTheCastBehindThem) {
  EXPECT_EQ(fold(round_trip(kSmall, "Greater (f, k)")).nodes,
            "i = ArgMax(x); r = Greater(i, k_as_integer); y = Cast(r)");
}

TEST(CastElision, OutputsStayFloats) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 100] x) => (int64[2] y, float[2] r) <float k = {2}> {
      i = ArgMax <axis = 1, keepdims = 0> (x)
      f = Cast <to = 1> (i)
      r = Mul (f, k)
      y = Cast <to = 7> (r)
    })");
  EXPECT_THAT(folded.nodes, HasSubstr("r = Mul(f, k)"));
}

TEST(CastElision, OtherUsersOfTheCastKeepIt) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 100] x) => (int64[2] y, float[2] other) <float k = {2}> {
      i = ArgMax <axis = 1, keepdims = 0> (x)
      f = Cast <to = 1> (i)
      r = Add (f, k)
      y = Cast <to = 7> (r)
      other = Sqrt (f)
    })");
  EXPECT_EQ(folded.nodes, "i = ArgMax(x); f = Cast(i); y = Add(i, k_as_integer); other = Sqrt(f)");
}

TEST(CastElision, SeveralCastsBehind) {
  const Folded folded = fold(R"(
    <ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 100] x) => (int64[2] y, int64[2] z, bool[2] b) <float k = {2}> {
      i = ArgMax <axis = 1, keepdims = 0> (x)
      f = Cast <to = 1> (i)
      r = Add (f, k)
      y = Cast <to = 7> (r)
      z = Cast <to = 7> (r)
      b = Cast <to = 9> (r)
    })");
  EXPECT_EQ(folded.nodes, "i = ArgMax(x); y = Add(i, k_as_integer); z = Cast(y); b = Cast(y)");
}

}  // namespace
}  // namespace graphsurgeon
