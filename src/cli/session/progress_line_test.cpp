#include "cli/session/progress_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/session/message_sink.h"

namespace polygraphy::cli {
namespace {

double now = 0;

class Terminal : public TextStream {
 public:
  bool terminal() const override { return true; }
};

TEST(ProgressLine, SaysHowFarAndHowLong) {
  EXPECT_EQ(progress_text(12, 1000, 2.4), "iteration 12 of 1000 | 1 % | 3:18 left");
  EXPECT_EQ(progress_text(1, 5000, 2), "iteration 1 of 5000 | 0 % | 2:46:38 left");
  EXPECT_EQ(progress_text(1000, 1000, 2), "iteration 1000 of 1000 | 100 % | 0:00 left");
  EXPECT_EQ(progress_text(16, std::nullopt, 2), "iteration 16 | 8.0 per second");
}

TEST(ProgressLine, DrawsAfterASecondAndMakesWayForMessages) {
  TextStream out;
  Terminal err;
  now = 0;
  Environment env{
      .out = out, .err = err, .variables = nullptr, .executable = "", .clock = [] { return now; }};
  MessageSink sink(env);
  {
    ProgressLine line(env, true);
    line.update(1, 4);
    EXPECT_EQ(err.text(), "");
    now = 2;
    line.update(2, 4);
    line.update(3, 4);
    EXPECT_EQ(err.text(), "\r\x1b[Kiteration 2 of 4 | 50 % | 0:02 left");
    sink.write(Severity::kInfo, "a message");
    EXPECT_THAT(err.text(), testing::EndsWith(" left\r\x1b[K"));
  }
  EXPECT_EQ(out.text(), "a message\n");
  EXPECT_EQ(env.progress, nullptr);
}

TEST(ProgressLine, SaysHowFarAFileIs) {
  TextStream out;
  Terminal err;
  now = 0;
  Environment env{
      .out = out, .err = err, .variables = nullptr, .executable = "", .clock = [] { return now; }};
  ProgressLine line(env, true);
  line.update_written("out.onnx", uint64_t{1} << 30);
  now = 2;
  line.update_written("out.onnx", uint64_t{3} << 30);
  EXPECT_EQ(err.text(), "\r\x1b[Kwriting out.onnx | 3 GiB");
  line.update_written("out.onnx", 0);
  EXPECT_EQ(err.text(), "\r\x1b[Kwriting out.onnx | 3 GiB\r\x1b[K");
}

TEST(ProgressLine, SaysNothingToFilesOrWhenNotWanted) {
  TextStream out, plain;
  Terminal err;
  now = 0;
  Environment file{.out = out, .err = plain, .variables = nullptr, .executable = "", .clock = [] {
                     return now;
                   }};
  Environment terminal{
      .out = out, .err = err, .variables = nullptr, .executable = "", .clock = [] { return now; }};
  ProgressLine to_file(file, true), unwanted(terminal, false);
  now = 5;
  to_file.update(1, 2);
  unwanted.update(1, 2);
  EXPECT_EQ(plain.text() + err.text(), "");
  EXPECT_FALSE(to_file.active() || unwanted.active());
}

}  // namespace
}  // namespace polygraphy::cli
