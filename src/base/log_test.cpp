#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace polygraphy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;

class LoggerTest : public testing::Test {
 protected:
  LoggerTest() {
    logger_.set_sink([this](Severity severity, std::string_view message) {
      severities_.push_back(severity);
      messages_.emplace_back(message);
    });
  }

  Logger logger_;
  std::vector<std::string> messages_;
  std::vector<Severity> severities_;
};

TEST_F(LoggerTest, EverySeverityHasItsLetter) {
  logger_.set_severity(Severity::kUltraVerbose);
  for (const Severity severity :
       {Severity::kUltraVerbose, Severity::kSuperVerbose, Severity::kExtraVerbose,
        Severity::kVerbose, Severity::kInfo, Severity::kStart, Severity::kFinish,
        Severity::kWarning, Severity::kError, Severity::kCritical}) {
    logger_.log(severity, "m.py", "x");
  }
  EXPECT_THAT(messages_, ElementsAre("[U] x", "[S] x", "[X] x", "[V] x", "[I] x", "[I] x", "[I] x",
                                     "[W] x", "[E] x", "[!] x"));
  EXPECT_EQ(severities_.back(), Severity::kCritical);
}

TEST_F(LoggerTest, ShowsInfoAndAboveUnlessTold) {
  logger_.verbose("m.py", "hidden");
  logger_.info("m.py", "shown");
  logger_.set_severity(Severity::kFinish);
  logger_.start("m.py", "hidden");
  logger_.finish("m.py", "finished");
  EXPECT_THAT(messages_, ElementsAre("[I] shown", "[I] finished"));
  EXPECT_FALSE(logger_.enabled(Severity::kInfo, "m.py"));
  EXPECT_TRUE(logger_.enabled(Severity::kCritical, "m.py"));
}

TEST_F(LoggerTest, FurtherLinesStandUnderTheFirst) {
  logger_.warning("m.py", "first\nsecond\n\nfourth\n");
  EXPECT_THAT(messages_, ElementsAre("[W] first\n    second\n    \n    fourth"));
}

TEST_F(LoggerTest, IndentationGoesBetweenPrefixAndText) {
  {
    const Logger::Indent indent(logger_);
    logger_.info("m.py", "one\ntwo");
    const Logger::Indent deeper(logger_, 2);
    logger_.info("m.py", "deep");
  }
  logger_.info("m.py", "out");
  EXPECT_THAT(messages_,
              ElementsAre("[I]     one\n        two", "[I]             deep", "[I] out"));
}

TEST_F(LoggerTest, AnEmptyMessageIsPrefixAndIndentation) {
  logger_.info("m.py", "");
  const Logger::Indent indent(logger_);
  logger_.info("m.py", "");
  EXPECT_THAT(messages_, ElementsAre("[I] ", "[I]     "));
}

TEST_F(LoggerTest, TimestampAndLineInfoWidenThePrefix) {
  logger_.set_line_info(true);
  logger_.info("comparator/comparator.py", "a\nb");
  EXPECT_EQ(messages_.back(), "[I] [comparator/comparator.py] a\n" + std::string(31, ' ') + "b");
  logger_.set_timestamp(true);
  logger_.info("m.py", "a");
  EXPECT_THAT(messages_.back(),
              MatchesRegex("\\[I\\] \\([0-9][0-9]:[0-9][0-9]:[0-9][0-9]\\) \\[m.py\\] a"));
}

TEST_F(LoggerTest, ColoursTheWholeMessage) {
  logger_.set_colors(true);
  logger_.set_severity(Severity::kUltraVerbose);
  logger_.error("m.py", "a\nb");
  logger_.info("m.py", "plain");
  logger_.log(Severity::kSuperVerbose, "m.py", "x");
  EXPECT_THAT(messages_, ElementsAre("\x1b[38;5;9m[E] a\n    b\x1b[0m", "[I] plain",
                                     "\x1b[38;5;126m[S] x\x1b[0m"));
}

TEST_F(LoggerTest, OnceMeansOncePerText) {
  logger_.warning("a.py", "careful", Once::kYes);
  logger_.warning("b.py", "careful", Once::kYes);
  logger_.warning("a.py", "careful too", Once::kYes);
  logger_.warning("a.py", "careful");
  EXPECT_THAT(messages_, ElementsAre("[W] careful", "[W] careful too", "[W] careful"));
}

TEST_F(LoggerTest, AHiddenMessageHasNotBeenSaidYet) {
  logger_.verbose("a.py", "once", Once::kYes);
  logger_.set_severity(Severity::kVerbose);
  logger_.verbose("a.py", "once", Once::kYes);
  EXPECT_THAT(messages_, ElementsAre("[V] once"));
}

TEST_F(LoggerTest, WithoutSinkNothingIsEnabled) {
  Logger silent;
  EXPECT_FALSE(silent.enabled(Severity::kCritical, "m.py"));
  silent.critical("m.py", "nobody hears this");
  EXPECT_THAT(messages_, IsEmpty());
}

TEST_F(LoggerTest, PathsHaveTheirOwnThresholds) {
  logger_.set_severity("backend", Severity::kError);
  logger_.set_severity("backend/onnxrt", Severity::kVerbose);
  EXPECT_EQ(logger_.severity("backend/base/runner.py"), Severity::kError);
  EXPECT_EQ(logger_.severity("backend/onnxrt/loader.py"), Severity::kVerbose);
  EXPECT_EQ(logger_.severity("comparator/comparator.py"), Severity::kInfo);
}

// The node of the path trie at which the walk ends decides, not the nearest ancestor with a value.
TEST_F(LoggerTest, ANodeWithoutValueFallsBackToTheDefault) {
  logger_.set_severity(Severity::kWarning);
  logger_.set_severity("backend", Severity::kVerbose);
  logger_.set_severity("backend/trt/loader.py", Severity::kError);
  EXPECT_EQ(logger_.severity("backend/onnxrt/loader.py"), Severity::kVerbose);
  EXPECT_EQ(logger_.severity("backend/trt/loader.py"), Severity::kError);
  EXPECT_EQ(logger_.severity("backend/trt/runner.py"), Severity::kWarning);
}

TEST_F(LoggerTest, PathComponentsMatchWhole) {
  logger_.set_severity("backend/trt-rtx", Severity::kError);
  logger_.set_severity("backend/tr", Severity::kVerbose);
  EXPECT_EQ(logger_.severity("backend/trt/loader.py"), Severity::kInfo);
  logger_.set_severity("//backend//trt/", Severity::kCritical);
  EXPECT_EQ(logger_.severity("backend/trt/loader.py"), Severity::kCritical);
}

TEST_F(LoggerTest, AnEmptyPathIsTheDefault) {
  logger_.set_severity("", Severity::kCritical);
  EXPECT_EQ(logger_.severity("m.py"), Severity::kCritical);
}

TEST(ParseSeverity, AnyCaseOfTheNames) {
  Severity severity = Severity::kInfo;
  EXPECT_TRUE(parse_severity("ultra_verbose", severity));
  EXPECT_EQ(severity, Severity::kUltraVerbose);
  EXPECT_TRUE(parse_severity("Critical", severity));
  EXPECT_EQ(severity, Severity::kCritical);
  EXPECT_FALSE(parse_severity("LOUD", severity));
  EXPECT_EQ(severity, Severity::kCritical);
}

}  // namespace
}  // namespace polygraphy
