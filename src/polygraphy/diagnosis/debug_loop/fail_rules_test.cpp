#include "polygraphy/diagnosis/debug_loop/fail_rules.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace polygraphy {
namespace {

constexpr ExitStatus kZero{}, kOne{.code = 1}, kThree{.code = 3}, kSegfault{.signal = 11};

FailRules patterns(std::initializer_list<const char*> texts) {
  FailRules rules;
  for (const char* text : texts) rules.patterns.emplace_back(text);
  return rules;
}

TEST(FailRules, WithoutAnyTheCodeDecides) {
  EXPECT_TRUE(FailRules{}.passes(kZero, ""));
  EXPECT_FALSE(FailRules{}.passes(kOne, ""));
  EXPECT_FALSE(FailRules{}.passes(kSegfault, ""));
}

TEST(FailRules, OnlyListedCodesFail) {
  const FailRules rules{.codes = {3, -11}};
  EXPECT_TRUE(rules.passes(kOne, ""));
  EXPECT_FALSE(rules.passes(kThree, ""));
  EXPECT_FALSE(rules.passes(kSegfault, ""));
}

TEST(FailRules, IgnoredCodesPass) {
  const FailRules rules{.ignored = {1}};
  EXPECT_TRUE(rules.passes(kOne, ""));
  EXPECT_FALSE(rules.passes(kThree, ""));
}

TEST(FailRules, PatternsAloneDecideWhateverTheCode) {
  const FailRules rules = patterns({"Non-zero status", "mismatch"});
  EXPECT_TRUE(rules.passes(kOne, "all is well"));
  EXPECT_FALSE(rules.passes(kZero, "a mismatch here"));
}

TEST(FailRules, CodesAndPatternsMustBothHold) {
  FailRules rules = patterns({"mismatch"});
  rules.codes = {1};
  EXPECT_TRUE(rules.passes(kOne, "fine"));
  EXPECT_TRUE(rules.passes(kThree, "mismatch"));
  EXPECT_FALSE(rules.passes(kOne, "mismatch"));
}

TEST(FailRules, PatternsAreThoseOfPython) {
  EXPECT_FALSE(patterns({R"(FAILED(?! \| Runtime))"}).passes(kZero, "FAILED | Output"));
  EXPECT_TRUE(patterns({R"(FAILED(?! \| Runtime))"}).passes(kZero, "FAILED | Runtime"));
  EXPECT_FALSE(patterns({R"((?P<w>\w+) \1)"}).passes(kZero, "very very bad"));
  EXPECT_FALSE(patterns({"(?i)nan"}).passes(kZero, "\xff\xfe NaN"));
}

TEST(Regex, SaysWhereAPatternIsNone) {
  try {
    Regex("a(b");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'a(b'"));
    EXPECT_THAT(error.what(), testing::HasSubstr("position 3"));
  }
}

TEST(Regex, APatternThatWouldNeverEndIsAnError) {
  const Regex pattern("(a+)+$");
  EXPECT_THROW(pattern.found_in(std::string(60, 'a') + "b"), Error);
}

}  // namespace
}  // namespace polygraphy
