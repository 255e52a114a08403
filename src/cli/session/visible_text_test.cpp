#include "base/visible_text.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include <string>

#include "cli/session/environment.h"
#include "cli/session/message_sink.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;

std::string seen(std::string_view text) {
  std::string storage;
  return std::string(visible(text, storage));
}

TEST(VisibleTextTest, TextStays) {
  for (const char* text : {"", "conv1/weights:0\n\tfloat32", "Größe 温度 🙂", "a\r\nb", "\xff\xc3",
                           "\x1b[38;5;10m[I] PASSED\x1b[0m"}) {
    EXPECT_EQ(seen(text), text);
  }
}

TEST(VisibleTextTest, ControlsAreEscaped) {
  EXPECT_EQ(seen("\x1b]52;c;aGk=\x07"), "\\x1b]52;c;aGk=\\x07");
  EXPECT_EQ(seen("PASSED\r\x1b[2KFAILED\x1b[8m"), "PASSED\\x0d\\x1b[2KFAILED\\x1b[8m");
  EXPECT_EQ(seen("a\x7f\xc2\x9b"
                 "31m \x9d"),
            "a\\x7f\\x9b31m \\x9d");
  EXPECT_EQ(seen("a\xe2\x80\xae"
                 "b\xe2\x81\xa9\xd8\x9c"),
            "a\\u202eb\\u2069\\u061c");
  EXPECT_EQ(seen(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(seen("\x1b[38;5;m \x1b[38;5;1"), "\\x1b[38;5;m \\x1b[38;5;1");
}

TEST(VisibleTextTest, ATerminalGetsNoControlsOfNames) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_TRUE(terminal >= 0 && ::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0);
  const int other = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
  ASSERT_GE(other, 0);
  DescriptorStream stream(other, "terminal");
  stream.write("name \x1b]0;title\x07");
  stream.control("\x1b[K");
  stream.write("\n");
  stream.flush();
  std::string text;
  // A terminal gives as much as has come.
  for (char byte = 0; byte != '\n' && ::read(terminal, &byte, 1) == 1;) text += byte;
  EXPECT_EQ(text, "name \\x1b]0;title\\x07\x1b[K\r\n");
  ::close(other);
  ::close(terminal);
}

TEST(VisibleTextTest, NeitherDoLogs) {
  TextStream out, err;
  Environment env{.out = out, .err = err, .variables = nullptr, .executable = ""};
  MessageSink(env).write(Severity::kInfo, "\x1b[38;5;10m[I] name \x1b]0;title\x07\x1b[0m");
  EXPECT_EQ(out.text(), "[I] name \\x1b]0;title\\x07\n");
}

}  // namespace
}  // namespace polygraphy::cli
