#include "polygraphy/comparison/compare/metrics/shared/per_output.h"

#include <gtest/gtest.h>

#include "base/testdata/log_text.h"

namespace polygraphy {
namespace {

TEST(PerOutputTest, TheNameComesBeforeTheDefaultEntryBeforeTheBuiltInDefault) {
  const PerOutput<double> values{{"", 0.5}, {"y", 0.25}};
  EXPECT_EQ(value_for(values, "y", 1.0), 0.25);
  EXPECT_EQ(value_for(values, "z", 1.0), 0.5);
  EXPECT_EQ(value_for(PerOutput<double>{{"y", 0.25}}, "z", 1.0), 1.0);
}

TEST(PerOutputTest, WhatHoldsForASequenceHoldsForItsItems) {
  const PerOutput<double> values{{"", 0.5}, {"s", 0.25}, {"s[1]", 0.125}};
  EXPECT_EQ(value_for(values, "s[0]", 1.0), 0.25);
  EXPECT_EQ(value_for(values, "s[0].values", 1.0), 0.25);
  EXPECT_EQ(value_for(values, "s[1]", 1.0), 0.125);
  EXPECT_EQ(value_for(values, "t[0]", 1.0), 0.5);
  const ArrayMap outputs{{"s[0]", Array::of<float>({1}, {1})}};
  LogText log;
  warn_of_extra_items("atol", PerOutput<double>{{"s", 1}}, outputs, outputs, log.log());
  EXPECT_EQ(log.take(), "");
}

TEST(PerOutputTest, NamesOfNoOutputAreReported) {
  const Array array = Array::of<float>({1}, {1});
  LogText log;
  const PerOutput<double> values{{"", 1}, {"y", 1}, {"nope", 1}, {"z", 1}};
  warn_of_extra_items("atol", values, {{"y", array}}, {{"z", array}, {"y", array}}, log.log());
  EXPECT_EQ(log.take(),
            "[W] Extra items in the atol dictionary: {'nope'}.\n"
            "    Note: items requested were: {'', 'y', 'z'}, but all items are: {'', 'y', 'nope', "
            "'z'}\n");
  warn_of_extra_items("atol", PerOutput<double>{{"", 1}, {"z", 2}}, {{"y", array}}, {{"z", array}},
                      log.log());
  EXPECT_EQ(log.take(), "");
}

}  // namespace
}  // namespace polygraphy
