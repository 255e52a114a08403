#include "polygraphy/comparison/task_metrics/labels.h"

#include <gtest/gtest.h>

#include "polygraphy/comparison/task_metrics/label_numbers.h"

namespace polygraphy {
namespace {

std::vector<int64_t> numbers(const Labels& labels, size_t place) {
  return whole_numbers(labels.all[place], labels);
}

std::string error_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Labels, OfJsonHaveOneNumberTextOrListEach) {
  const Labels classes = parse_labels("[3, 1.0, 2]", "l.json");
  ASSERT_EQ(classes.all.size(), 3u);
  EXPECT_EQ(numbers(classes, 1), std::vector<int64_t>{1});
  const Labels rows = parse_labels(" [[1, 2, -100], [4]]", "l.json");
  ASSERT_EQ(rows.all.size(), 2u);
  EXPECT_EQ(numbers(rows, 0), (std::vector<int64_t>{1, 2, -100}));
  EXPECT_EQ(parse_labels(R"(["a b", "c"])", "l.json").all[1].text, "c");
  EXPECT_EQ(numbers(parse_labels("\xef\xbb\xbf[3]", "l.json"), 0), std::vector<int64_t>{3});
  EXPECT_EQ(numbers(parse_labels("\xef\xbb\xbf"
                                 "7\n5\n",
                                 "l.txt"),
                    0),
            std::vector<int64_t>{7});
}

TEST(Labels, OfDetectorsHaveBoxes) {
  const Labels labels = parse_labels(
      R"([{"boxes": [[0, 1, 2, 3]], "labels": [7]}, {"boxes": [], "labels": []}])", "l");
  EXPECT_EQ(labels.all[0].boxes.shape(), (Shape{1, 4}));
  EXPECT_EQ(numbers(labels, 0), std::vector<int64_t>{7});
  EXPECT_FALSE(labels.all[1].boxes.empty());
  EXPECT_NE(error_of([] {
              parse_labels(R"([{"boxes": [[1, 2]], "labels": [7]}])", "l");
            }).find("expected boxes [N,4] and labels [N]"),
            std::string::npos);
}

TEST(Labels, OfTextHaveLines) {
  const Labels labels = parse_labels("the cat\r\n12 5\n", "l.txt");
  ASSERT_EQ(labels.all.size(), 2u);
  EXPECT_EQ(labels.all[0].text, "the cat");
  EXPECT_EQ(numbers(labels, 1), (std::vector<int64_t>{12, 5}));
  EXPECT_EQ(error_of([&] { numbers(labels, 0); }), "Label 0 of l.txt is not a whole number: 'the'");
}

TEST(Labels, OfArraysAreCutIntoRows) {
  Labels labels{"l.npy"};
  labels.all.push_back({.values = Array::of<int64_t>({2, 2}, {1, 2, 3, 4})});
  labels.all.push_back({.values = Array::of<int64_t>({2, 2}, {5, 6, 7, 8}), .number = 1});
  EXPECT_TRUE(labels.has_rows(1));
  EXPECT_FALSE(labels.has_rows(2));
  const Labels classes = labels.rows(0), sequences = labels.rows(1);
  ASSERT_EQ(classes.all.size(), 8u);
  EXPECT_EQ(numbers(classes, 6), std::vector<int64_t>{7});
  EXPECT_EQ(name_of(classes.all[6], classes), "Label 1 of l.npy");
  ASSERT_EQ(sequences.all.size(), 4u);
  EXPECT_EQ(numbers(sequences, 2), (std::vector<int64_t>{5, 6}));
}

TEST(Labels, MustBeWholeNumbersForClasses) {
  const Labels labels = parse_labels("[0.5, NaN]", "l.json");
  EXPECT_EQ(error_of([&] { numbers(labels, 0); }), "Label 0 of l.json is not a whole number: 0.5");
  EXPECT_EQ(error_of([&] { numbers(labels, 1); }), "Label 1 of l.json is not a whole number: nan");
}

}  // namespace
}  // namespace polygraphy
