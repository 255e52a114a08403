#include "polygraphy/comparison/task_metrics/label_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace polygraphy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

const Labels kFile = {.source = "labels.txt"};

void expect_error(const Label& label, const std::string& message) {
  EXPECT_THAT([&] { whole_numbers(label, kFile); }, ThrowsMessage<Error>(HasSubstr(message)));
}

TEST(LabelNumbers, OfATextAreItsWords) {
  EXPECT_THAT(whole_numbers({.text = " 3  17 -100 "}, kFile), ElementsAre(3, 17, -100));
  EXPECT_THAT(whole_numbers({.text = ""}, kFile), IsEmpty());
}

TEST(LabelNumbers, OfATextThatIsNoNumberNameTheLabel) {
  for (const char* word : {"cat", "1.5", "7th", "99999999999999999999"}) {
    expect_error({.text = std::string("1 ") + word, .number = 4},
                 std::string("Label 4 of labels.txt is not a whole number: '") + word + "'");
  }
}

// JSON and NumPy often have classes as floating-point numbers.
TEST(LabelNumbers, OfAnArrayAreWholeWhateverItsType) {
  EXPECT_THAT(whole_numbers({.values = Array::of<float>({3}, {1, 0, -2})}, kFile),
              ElementsAre(1, 0, -2));
  EXPECT_THAT(whole_numbers({.values = Array::of<uint8_t>({2}, {0, 255})}, kFile),
              ElementsAre(0, 255));
  EXPECT_THAT(whole_numbers({.values = Array::of<int64_t>({1}, {INT64_MAX})}, kFile),
              ElementsAre(INT64_MAX));
}

TEST(LabelNumbers, OfAnArrayThatHasOthersAreErrors) {
  expect_error({.values = Array::of<double>({2}, {1, 2.5})}, "not a whole number: 2.5");
  // Neighbours of such a number round to it.
  expect_error({.values = Array::of<double>({1}, {0x1p54})}, "not a whole number");
  expect_error({.values = Array::from_strings({1}, {"1"})}, "not a whole number: string");
}

}  // namespace
}  // namespace polygraphy
