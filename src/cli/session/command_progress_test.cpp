#include "cli/session/command_progress.h"

#include <gtest/gtest.h>

#include <string>

#include "cli/session/message_sink.h"

namespace polygraphy::cli {
namespace {

double now = 0;

class Terminal : public TextStream {
 public:
  bool terminal() const override { return true; }
};

class CommandProgressTest : public testing::Test {
 protected:
  // Works for two seconds, with a message in between, on a log that shows from `severity` on.
  std::string work(Stream& err, Severity severity) {
    now = 0;
    Environment env{.out = out_, .err = err, .variables = nullptr, .executable = "", .clock = [] {
                      return now;
                    }};
    MessageSink sink(env);
    Logger log([&](Severity of, std::string_view text) { sink.write(of, text); });
    log.set_severity(severity);
    {
      const CommandProgress progress(env, log);
      ProgressPhase phase("iteration", 4);
      now = 2;
      phase.step();
      log.error("main.py", "a message");
    }
    EXPECT_EQ(env.progress, nullptr);
    return out_.text();
  }

  TextStream out_;
};

const std::string kErase = "\r\x1b[K", kLine = "iteration 1 of 4 | 25 % | 0:06 left";

TEST_F(CommandProgressTest, StaysBelowMessages) {
  Terminal err;
  EXPECT_EQ(work(err, Severity::kInfo), "[E] a message\n");
  EXPECT_EQ(err.text(), kErase + kLine + kErase + kErase + kLine + kErase);
}

TEST_F(CommandProgressTest, QuietCommandsHaveOneToo) {
  Terminal err;
  work(err, Severity::kError);
  EXPECT_EQ(err.text(), kErase + kLine + kErase + kErase + kLine + kErase);
}

TEST_F(CommandProgressTest, SilentCommandsHaveNone) {
  Terminal err;
  work(err, Severity::kCritical);
  EXPECT_EQ(err.text(), "");
}

TEST_F(CommandProgressTest, FilesGetNone) {
  TextStream err;
  EXPECT_EQ(work(err, Severity::kInfo), "[E] a message\n");
  EXPECT_EQ(err.text(), "");
}

// The text on one terminal of a line of a script, half a line, and a question, after two seconds.
TEST(WriteAboveProgress, ComesBackBelowWholeLines) {
  now = 0;
  Terminal terminal;
  Environment env{
      .out = terminal, .err = terminal, .variables = nullptr, .executable = "", .clock = [] {
        return now;
      }};
  Logger log([](Severity, std::string_view) {});
  const CommandProgress progress(env, log);
  ProgressPhase phase("iteration", 4);
  now = 2;
  phase.step();
  write_above_progress(env, env.err, "of a script\n");
  write_above_progress(env, env.out, "Pass? ");
  EXPECT_EQ(terminal.text(),
            kErase + kLine + kErase + "of a script\n" + kErase + kLine + kErase + "Pass? ");
}

}  // namespace
}  // namespace polygraphy::cli
