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
  // Works for `seconds`, with a message behind them.
  std::string work(Stream& err, ProgressForm form, double seconds = 2) {
    now = 0;
    Environment env{.out = out_,
                    .err = err,
                    .variables = nullptr,
                    .executable = "",
                    .clock = [] { return now; },
                    .process_ends = !err.terminal()};
    MessageSink sink(env);
    Logger log([&](Severity of, std::string_view text) { sink.write(of, text); });
    {
      const CommandProgress progress(env, form);
      ProgressPhase phase("iteration", 4);
      now = seconds;
      phase.step();
      log.error("main.py", "a message");
    }
    EXPECT_EQ(env.progress, nullptr);
    return out_.text();
  }

  TextStream out_;
};

const std::string kErase = "\r\x1b[K", kLine = "iteration:  25%|██▌       | 1/4 [0:02<0:06]";

TEST_F(CommandProgressTest, StaysBelowMessages) {
  Terminal err;
  EXPECT_EQ(work(err, ProgressForm::kLog), "[E] a message\n");
  EXPECT_EQ(err.text(), kErase + kLine + kErase + kErase + kLine + kErase);
}

TEST_F(CommandProgressTest, QuietCommandsHaveOneToo) {
  Terminal err;
  work(err, ProgressForm::kLine);
  EXPECT_EQ(err.text(), kErase + kLine + kErase + kErase + kLine + kErase);
}

TEST_F(CommandProgressTest, SilentCommandsHaveNone) {
  Terminal err;
  work(err, ProgressForm::kNone);
  EXPECT_EQ(err.text(), "");
}

TEST_F(CommandProgressTest, LogsGetALineOfLongWork) {
  TextStream err;
  work(err, ProgressForm::kLog);
  EXPECT_EQ(err.text(), "");
  work(err, ProgressForm::kLine, 20);
  EXPECT_EQ(err.text(), "") << "a quiet command";
  work(err, ProgressForm::kLog, 20);
  EXPECT_EQ(err.text(), "iteration:  25%|██▌       | 1/4 [0:20<1:00]\n");
}

TEST_F(CommandProgressTest, ProgramsGetEvents) {
  for (const bool terminal : {false, true}) {
    Terminal shown;
    TextStream piped;
    TextStream& err = terminal ? shown : piped;
    work(err, ProgressForm::kJson);
    EXPECT_EQ(err.text(),
              "{\"phases\":[{\"phase\":\"iteration\",\"done\":0,\"total\":4}],\"seconds\":0.0}\n"
              "{\"phases\":[{\"phase\":\"iteration\",\"done\":1,\"total\":4}],\"seconds\":2.0,"
              "\"left\":6.0}\n"
              "{\"phases\":[],\"seconds\":2.0}\n");
  }
}

// The text on one terminal of a line of a script, half a line, and a question, after two seconds.
TEST(WriteAboveProgress, ComesBackBelowWholeLines) {
  now = 0;
  Terminal terminal;
  Environment env{
      .out = terminal, .err = terminal, .variables = nullptr, .executable = "", .clock = [] {
        return now;
      }};
  const CommandProgress progress(env, ProgressForm::kLine);
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
