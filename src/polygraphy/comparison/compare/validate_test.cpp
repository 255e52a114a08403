#include "polygraphy/comparison/compare/validate.h"

#include <gtest/gtest.h>

#include <complex>
#include <limits>

#include "base/arrays/convert.h"
#include "base/error.h"
#include "base/testdata/log_text.h"

namespace polygraphy {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class ValidateTest : public testing::Test {
 protected:
  bool valid(const Array& output) { return validate_output("R0", "", "y", output, log_.log()); }
  LogText log_{Severity::kStart};
};

TEST_F(ValidateTest, FiniteOutputsOfEveryTypeAreValid) {
  EXPECT_TRUE(valid(Array::of<float>({2}, {1, -3e38f})));
  EXPECT_EQ(log_.take(),
            "[I] R0                                  | Validating output: y (check_inf=True, "
            "check_nan=True)\n"
            "[I]     PASSED | Output: y is valid\n");
  EXPECT_TRUE(valid(Array::of<int64_t>({1}, {std::numeric_limits<int64_t>::max()})));
  EXPECT_TRUE(valid(Array::of<bool>({1}, {true})));
  EXPECT_TRUE(valid(Array::from_strings({1}, {"nan"})));
  EXPECT_TRUE(valid(Array::zeros(DataType::kFloat32, {0, 2})));
}

TEST_F(ValidateTest, NanIsAlsoNotFinite) {
  EXPECT_FALSE(valid(Array::of<float>({2}, {1, kNan})));
  EXPECT_EQ(log_.take(),
            "[I] R0                                  | Validating output: y (check_inf=True, "
            "check_nan=True)\n"
            "[E]     NaN Detected | One or more NaNs were encountered in this output\n"
            "[E]     Inf Detected | One or more non-finite values were encountered in this output\n"
            "[E]     FAILED | Errors detected in output: y\n");
}

TEST_F(ValidateTest, InfinitiesOfEitherSignAreFound) {
  for (const float value : {kInf, -kInf}) {
    EXPECT_FALSE(valid(Array::of<float>({3}, {1, value, 2})));
    EXPECT_FALSE(log_.has("NaN Detected"));
    EXPECT_TRUE(log_.has("[E]     Inf Detected"));
    log_.take();
  }
  for (const DataType type :
       {DataType::kFloat16, DataType::kBfloat16, DataType::kFloat64, DataType::kFloat8E5M2}) {
    EXPECT_FALSE(valid(convert(Array::of<float>({2}, {1, kInf}), type))) << name_of(type);
  }
}

TEST_F(ValidateTest, BothPartsOfComplexNumbersCount) {
  const std::vector<std::complex<float>> good{{1, 2}}, bad{{1, kNan}};
  EXPECT_TRUE(valid(Array::view(DataType::kComplex64, {1}, good.data(), nullptr)));
  EXPECT_FALSE(valid(Array::view(DataType::kComplex64, {1}, bad.data(), nullptr)));
}

TEST_F(ValidateTest, ShowsPlacesAndValuesToThoseWhoAsk) {
  LogText log(Severity::kExtraVerbose);
  validate_output("R0", "", "y", Array::of<float>({2, 2}, {1, kNan, -kInf, 2}), log.log());
  const std::string text = log.take();
  EXPECT_NE(
      text.find(
          "[E]     NaN Detected | One or more NaNs were encountered in this output\n"
          "[I]     Note: Use -vv or set logging verbosity to EXTRA_VERBOSE to display locations of "
          "NaNs\n"
          "[X]     Note: NaNs at:\n"
          "        [[False  True]\n"
          "         [False False]]\n"
          "[E]     Inf Detected | One or more non-finite values were encountered in this output\n"
          "[I]     Note: Use -vv or set logging verbosity to EXTRA_VERBOSE to display non-finite "
          "values\n"
          "[X]     Note: non-finite values at:\n"
          "        [[False  True]\n"
          "         [ True False]]\n"
          "[X]     Note: non-finite values:\n"
          "        [ nan -inf]\n"
          "[E]     FAILED | Errors detected in output: y\n"),
      std::string::npos)
      << text;
}

TEST_F(ValidateTest, AWholeRunHasAHeaderAndAVerdict) {
  const IterationResult good{{{"y", Array::of<float>({1}, {1})}}, {}, "R0"};
  const IterationResult bad{{{"y", Array::of<float>({1}, {kInf})}}, {}, "R0"};
  EXPECT_FALSE(validate_run({{{"R0", {bad, good}}, {"R1", {good}}}}, log_.log()));
  EXPECT_EQ(
      log_.take(),
      "[I] Output Validation | Runners: ['R0', 'R1']\n"
      "[I]     R0                                  | Validating output: y (check_inf=True, "
      "check_nan=True)\n"
      "[E]         Inf Detected | One or more non-finite values were encountered in this output\n"
      "[E]         FAILED | Errors detected in output: y\n"
      "[I]     R0                                  | Validating output: y (check_inf=True, "
      "check_nan=True)\n"
      "[I]         PASSED | Output: y is valid\n"
      "[I]     R1                                  | Validating output: y (check_inf=True, "
      "check_nan=True)\n"
      "[I]         PASSED | Output: y is valid\n"
      "[E]     FAILED | Output Validation\n");
  EXPECT_TRUE(validate_run({{{"R0", {good}}}}, log_.log()));
  EXPECT_TRUE(log_.has("[I]     PASSED | Output Validation\n"));
}

TEST_F(ValidateTest, AStreamEndsAtTheFirstBadOutput) {
  const Array good = Array::of<float>({1}, {1}), bad = Array::of<float>({1}, {kNan});
  const RunResults run{{{"R0", {{{{"y", good}}, {}, "R0"}, {{{"y", bad}, {"z", bad}}, {}, "R0"}}}}};
  const auto stream = validated(stored_results(run), log_.log());
  ASSERT_TRUE(stream->next());
  EXPECT_TRUE(log_.has("| Iteration 0 | Validating output: y"));
  try {
    stream->next();
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "Output validation failed: iteration 1 contains invalid values (NaNs/Infs). See "
                 "the errors above.");
  }
  EXPECT_FALSE(log_.has("output: z"));
}

}  // namespace
}  // namespace polygraphy
