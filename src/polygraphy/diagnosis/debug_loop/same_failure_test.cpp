#include "polygraphy/diagnosis/debug_loop/same_failure.h"

#include <gmock/gmock.h>

#include <deque>

namespace polygraphy {
namespace {

using testing::HasSubstr;

class Scripted : public Check {
 public:
  explicit Scripted(std::deque<CheckResult> verdicts) : verdicts_(std::move(verdicts)) {}
  CheckResult run(const std::string&) override {
    CheckResult verdict = verdicts_.front();
    verdicts_.pop_front();
    return verdict;
  }

 private:
  std::deque<CheckResult> verdicts_;
};

struct SameFailureTest : testing::Test {
  std::string text;
  Logger log{[this](Severity, std::string_view message) { (text += message) += '\n'; }};
};

TEST_F(SameFailureTest, AnotherFailureIsWarnedAbout) {
  Scripted scripted({{true, ""}, {false, "crash"}, {false, "crash"}, {false, "mismatch"}});
  SameFailure failure(OtherFailures::kWarn, log);
  EXPECT_TRUE(failure.judge(scripted.run("")).passed);
  EXPECT_FALSE(failure.judge(scripted.run("")).passed);
  EXPECT_FALSE(failure.judge(scripted.run("")).passed);
  EXPECT_EQ(text, "");
  EXPECT_FALSE(failure.judge(scripted.run("")).passed);
  EXPECT_THAT(text, HasSubstr("First:  crash"));
  EXPECT_THAT(text, HasSubstr("Now:    mismatch"));
}

TEST_F(SameFailureTest, OrCountsAsPassed) {
  Scripted scripted({{false, "crash"}, {false, "mismatch"}, {false, "crash"}});
  SameFailure failure(OtherFailures::kPass, log);
  EXPECT_FALSE(failure.judge(scripted.run("")).passed);
  EXPECT_TRUE(failure.judge(scripted.run("")).passed);
  EXPECT_FALSE(failure.judge(scripted.run("")).passed);
}

TEST_F(SameFailureTest, AnswersWithoutExplanationAreNotCompared) {
  Scripted scripted({{false, ""}, {false, "crash"}, {false, ""}});
  SameFailure failure(OtherFailures::kPass, log);
  EXPECT_FALSE(failure.judge(scripted.run("")).passed);
  EXPECT_FALSE(failure.judge(scripted.run("")).passed);
  EXPECT_FALSE(failure.judge(scripted.run("")).passed);
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace polygraphy
