#include "polygraphy/model_tools/surgeon/verification/output_agreement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace polygraphy {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// "bit-equal", "equal", or the difference.
std::string verdict(const ArrayMap& was, const ArrayMap& is) {
  const OutputAgreement found = agreement(was, is);
  if (found.bit_equal) return "bit-equal";
  if (found.equal) return "equal";
  return found.output + ": " + found.difference;
}

std::string verdict(const Array& was, const Array& is) {
  return verdict(ArrayMap{{"y", was}}, ArrayMap{{"y", is}});
}

Array floats(std::initializer_list<float> values) {
  return Array::of<float>({static_cast<int64_t>(values.size())}, values);
}

TEST(OutputAgreement, OfEqualArrays) {
  EXPECT_EQ(verdict(floats({1, 2}), floats({1, 2})), "bit-equal");
  EXPECT_EQ(verdict(floats({0, kNan}), floats({-0.f, std::copysign(kNan, -1.f)})), "bit-equal");
  EXPECT_EQ(verdict(floats({kInfinity}), floats({kInfinity})), "bit-equal");
  EXPECT_EQ(verdict(ArrayMap{}, ArrayMap{}), "bit-equal");
}

TEST(OutputAgreement, AllowsForRounding) {
  EXPECT_EQ(verdict(floats({1, 100}), floats({1.000001f, 100.0001f})), "equal");
  // Near 0 next to large elements: the rest of a cancellation.
  EXPECT_EQ(verdict(floats({0, 100}), floats({1e-6f, 100})), "equal");
  EXPECT_EQ(verdict(floats({0, 1}), floats({1e-4f, 1})),
            "y: element 0 of 2 is "
            "9.999999747378752e-05, was 0");
}

TEST(OutputAgreement, NamesTheFirstElementThatDiffers) {
  EXPECT_EQ(verdict(floats({1, 2, 3, 4}), floats({1, 2.5, 3.5, 4})),
            "y: element 1 of 4 is 2.5, was 2 (2 elements differ)");
  EXPECT_EQ(verdict(floats({1, kNan}), floats({1, 2})), "y: element 1 of 2 is 2, was nan");
  EXPECT_EQ(verdict(floats({1}), floats({kInfinity})), "y: element 0 of 1 is inf, was 1");
  EXPECT_EQ(verdict(floats({kInfinity}), floats({-kInfinity})),
            "y: element 0 of 1 is -inf, was inf");
}

TEST(OutputAgreement, OfWholeNumbersIsExact) {
  EXPECT_EQ(verdict(Array::of<int64_t>({2}, {1, int64_t{1} << 60}),
                    Array::of<int64_t>({2}, {1, (int64_t{1} << 60) + 1})),
            "y: element 1 of 2 is 1152921504606846977, was 1152921504606846976");
  EXPECT_EQ(verdict(Array::of<bool>({1}, {true}), Array::of<bool>({1}, {false})),
            "y: element 0 of 1 is 0, was 1");
}

TEST(OutputAgreement, OfStrings) {
  EXPECT_EQ(verdict(Array::from_strings({2}, {"a", "b"}), Array::from_strings({2}, {"a", "b"})),
            "bit-equal");
  EXPECT_EQ(verdict(Array::from_strings({2}, {"a", "b"}), Array::from_strings({2}, {"a", "c"})),
            "y: element 1 of 2 is 'c', was 'b'");
}

TEST(OutputAgreement, OfNarrowFloatsAllowsForTheirWidth) {
  Array was = Array::zeros(DataType::kFloat16, {1}), is = was.clone();
  const uint16_t one = 0x3c00, next = 0x3c01, two = 0x4000;
  std::memcpy(was.mutable_data(), &one, 2);
  std::memcpy(is.mutable_data(), &next, 2);
  EXPECT_EQ(verdict(was, is), "equal");
  std::memcpy(is.mutable_data(), &two, 2);
  EXPECT_EQ(verdict(was, is), "y: element 0 of 1 is 2, was 1");
}

TEST(OutputAgreement, NeedsTheSameTypesShapesAndNames) {
  EXPECT_EQ(verdict(floats({1}), Array::of<double>({1}, {1})),
            "y: is float64 (1,), was float32 (1,)");
  EXPECT_EQ(verdict(floats({1}), floats({1, 1})), "y: is float32 (2,), was float32 (1,)");
  EXPECT_EQ(verdict({{"y", floats({1})}}, ArrayMap{}), "y: is missing");
  EXPECT_EQ(verdict(ArrayMap{}, {{"s[1]", floats({1})}}), "s[1]: is new");
}

}  // namespace
}  // namespace polygraphy
