#include "polygraphy/diagnosis/consistency/consistency_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "polygraphy/diagnosis/consistency/consistency_json.h"

namespace polygraphy {
namespace {

using ::testing::HasSubstr;

ConsistencyResult some_result() {
  ConsistencyResult result;
  result.rows = {
      {.engine = "onnxrt-runner-N0",
       .check = "repeat",
       .what = "the same input again",
       .verdict = ConsistencyVerdict::kIdentical},
      {.engine = "onnxrt-runner-N0",
       .check = "threads",
       .what = "1 thread against 2, 3, 4 and 8",
       .verdict = ConsistencyVerdict::kWithinTolerance,
       .worst = OutputDifference{.output = "y",
                                 .index = {0, 2},
                                 .expected = "1.0",
                                 .observed = "1.0000001",
                                 .largest_absolute = 1.19e-7,
                                 .largest_relative = std::numeric_limits<double>::infinity(),
                                 .elements = 6}},
      {.engine = "onnxrt-runner-N0",
       .check = "optimization",
       .what = "all against off",
       .verdict = ConsistencyVerdict::kDiffers,
       .worst = OutputDifference{.output = "y",
                                 .index = {1},
                                 .expected = "1.0",
                                 .observed = "inf",
                                 .largest_absolute = 1,
                                 .largest_relative = 1,
                                 .elements = 6,
                                 .beyond = 2},
       .optimizers = {"ConvMulFusion"}},
      {.engine = "openvino-runner-N0",
       .check = "batch",
       .verdict = ConsistencyVerdict::kNotApplicable,
       .notes = {"the model has no batch dimension: x (1, 3)"}},
  };
  return result;
}

TEST(ConsistencyTextTest, TableOfAllRows) {
  EXPECT_EQ(consistency_table(some_result()),
            R"(Check         Comparison                      Verdict           Abs      Rel  Details
onnxrt-runner-N0
repeat        the same input again            identical
threads       1 thread against 2, 3, 4 and 8  within tolerance  1.2e-07  inf  y[0, 2]: 1.0 became 1.0000001
optimization  all against off                 differs           1        1    y[1]: 1.0 became inf
              agrees without ConvMulFusion
              2 of 6 elements of y exceed the tolerance
openvino-runner-N0
batch                                         not applicable                  the model has no batch dimension: x (1, 3))");
}

TEST(ConsistencyTextTest, OneLine) {
  ConsistencyResult result = some_result();
  EXPECT_FALSE(result.verdict().passed());
  EXPECT_EQ(consistency_summary(result),
            "Not consistent: 1 differs, 1 within tolerance, 1 identical, 1 not applicable");
  result.rows[0].verdict = ConsistencyVerdict::kDiffers;
  EXPECT_THAT(consistency_summary(result), HasSubstr("Not deterministic: 2 differ"));
  result.rows[0].verdict = ConsistencyVerdict::kIdentical;
  result.rows.erase(result.rows.begin() + 2);
  EXPECT_TRUE(result.verdict().passed());
  EXPECT_THAT(consistency_summary(result), HasSubstr("Consistent: 1 within tolerance"));
}

TEST(ConsistencyTextTest, WhatCouldNotBeRunIsNoDifference) {
  ConsistencyResult result = some_result();
  result.rows[0].verdict = ConsistencyVerdict::kFailed;
  result.rows[0].notes = {"out of memory"};
  EXPECT_EQ(result.verdict().agreement, Agreement::kDiffers);
  EXPECT_EQ(result.verdict().off, 1);
  EXPECT_EQ(result.verdict().compared, 2);
  EXPECT_EQ(consistency_summary(result),
            "Not consistent: 1 differs, 1 could not be run, 1 within tolerance, 1 not applicable");
  result.rows.erase(result.rows.begin() + 2);
  EXPECT_EQ(result.verdict().agreement, Agreement::kFailed);
  EXPECT_EQ(result.verdict().reason, "out of memory");
  EXPECT_EQ(consistency_summary(result),
            "Not all could be compared: 1 could not be run, 1 within tolerance, 1 not applicable");
  result.rows.resize(1);
  EXPECT_EQ(consistency_summary(result), "Could not be compared: 1 could not be run");
  EXPECT_THAT(consistency_json(result), HasSubstr(R"("agreement": "failed")"));
}

TEST(ConsistencyJsonTest, AllRows) {
  const std::string json = consistency_json(some_result());
  EXPECT_THAT(json, HasSubstr(R"("consistent": false)"));
  EXPECT_THAT(json, HasSubstr(R"("largest_relative": "Infinity")"));
  EXPECT_THAT(json, HasSubstr(R"("optimizers": [)"));
  EXPECT_THAT(json, HasSubstr(R"("beyond_tolerance": 2)"));
  EXPECT_EQ(json.back(), '\n');
}

TEST(ConsistencyJsonTest, ReadsWhatItWrites) {
  ConsistencyResult result = some_result();
  result.notes = {"a note"};
  result.versions.set("onnxrt-runner-N0", "1.31.0");
  result.rows.back().worst = OutputDifference{.output = "z", .incomparable = "it is missing"};
  result.rows.back().skipped = {"y (3,)"};
  const std::string json = consistency_json(result);
  const ConsistencyResult read = parse_consistency_json(json, "results");
  EXPECT_EQ(consistency_json(read), json);
  EXPECT_EQ(consistency_table(read), consistency_table(result));
  EXPECT_THROW(parse_consistency_json("{}", "results"), FormatError);
  EXPECT_THROW(parse_consistency_json(R"({"rows": [{"verdict": "perfect"}]})", "results"),
               FormatError);
}

TEST(ConsistencyResultTest, PartsAreAppended) {
  const ConsistencyResult all = some_result();
  ConsistencyResult whole;
  for (const ConsistencyRow& row : all.rows)
    append(whole, {.rows = {row}, .notes = {"random"}, .versions = {{"onnxrt", "1"}}});
  EXPECT_EQ(consistency_table(whole), consistency_table({.rows = all.rows, .notes = {"random"}}));
  EXPECT_THROW(append(whole, {.versions = {{"onnxrt", "2"}}}), Error);
}

TEST(ConsistencyResultTest, PartsOfAnEngineThatCannotRunAreOneRow) {
  const ConsistencyResult part{
      .rows = {{.engine = "a", .check = "run", .verdict = ConsistencyVerdict::kFailed}}};
  ConsistencyResult whole = part;
  append(whole, part);
  EXPECT_EQ(whole.rows.size(), 1U);
}

}  // namespace
}  // namespace polygraphy
