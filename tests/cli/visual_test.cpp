// `inspect model --visual`: as a file, and served by the executable until Ctrl-C.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "base/os/child_process.h"
#include "in_process.h"

namespace polygraphy::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Visual : public testing::Test {
 protected:
  Visual() { folder_.write("m.onnx", identity_model()); }
  Outcome inspect(std::vector<std::string> options) const {
    options.insert(options.begin(), {"inspect", "model", "m.onnx"});
    return run_in_process(options, {.root = folder_.path()});
  }

  TemporaryFolder folder_;
};

TEST_F(Visual, ThePageIsWrittenAndNoTextPrinted) {
  const Outcome seen = inspect({"--visual", "--save-visual", "m.html"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("[I] Viewer HTML saved to "));
  EXPECT_THAT(seen.out, Not(HasSubstr("ONNX Model")));
  EXPECT_THAT(folder_.read("m.html"), StartsWith("<!doctype html>"));
  EXPECT_THAT(folder_.read("m.html"), HasSubstr("\"Identity\""));
  EXPECT_THAT(folder_.read("m.html"), HasSubstr("\"path\":\"m.onnx\"")) << "as typed";
}

TEST_F(Visual, TheFileAloneIsRefused) {
  const Outcome seen = inspect({"--save-visual", "m.html"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("[!] --save-visual has no effect without --visual"));
  EXPECT_NE(::access((folder_.path() + "/m.html").c_str(), F_OK), 0);
}

TEST_F(Visual, AFileNamedSvgIsAPicture) {
  const Outcome seen = inspect({"--visual", "--save-visual", "m.SVG"});
  EXPECT_EQ(seen.code, 0) << seen.err;
  EXPECT_THAT(seen.out, HasSubstr("[I] Graph picture saved to "));
  EXPECT_THAT(folder_.read("m.SVG"), StartsWith("<svg "));
}

TEST_F(Visual, OtherPicturesAreRefused) {
  const Outcome seen = inspect({"--visual", "--save-visual", "m.png"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, AllOf(HasSubstr("--save-visual m.png: unknown form .png of the graph"),
                              HasSubstr("FILE.html"), HasSubstr("FILE.svg")));
  EXPECT_NE(::access((folder_.path() + "/m.png").c_str(), F_OK), 0);
  EXPECT_EQ(inspect({"--visual", "--save-visual", "m"}).code, 0);
}

TEST_F(Visual, AroundANodeOrTensor) {
  EXPECT_EQ(inspect({"--visual", "--save-visual", "part.svg", "--visual-around", "copy",
                     "--visual-depth", "0"})
                .code,
            0);
  EXPECT_THAT(folder_.read("part.svg"), HasSubstr("Around: copy"));
  EXPECT_THAT(folder_.read("part.svg"), Not(HasSubstr("Graph Input")));
  const Outcome wrong =
      inspect({"--visual", "--save-visual", "none.svg", "--visual-around", "cpy"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_THAT(wrong.err, HasSubstr("[!] no node or tensor named 'cpy'\n    Did you mean 'copy'?"));
  EXPECT_NE(::access((folder_.path() + "/none.svg").c_str(), F_OK), 0);
  EXPECT_THAT(inspect({"--visual", "--save-visual", "x.svg", "--visual-around", "x",
                       "--visual-depth", "-1"})
                  .err,
              HasSubstr("--visual-depth must not be negative"));
  EXPECT_THAT(inspect({"--visual-around", "copy"}).err,
              HasSubstr("[!] --visual-around has no effect without --visual"));
}

TEST_F(Visual, APortThatIsNoneIsAnError) {
  const Outcome seen = inspect({"--visual", "--visual-port", "99999999999"});
  EXPECT_EQ(seen.code, 1);
  EXPECT_THAT(seen.err, HasSubstr("ports are 0 to 65535"));
  EXPECT_THAT(seen.err, HasSubstr("--visual-port PORT"));
}

TEST_F(Visual, IsServedUntilCtrlC) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ChildProcess server({.argv = {PG_BINARY_DIR "/bin/polygraphy", "inspect", "model", "m.onnx",
                                "--visual", "--visual-port", "0"},
                       .environment = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}},
                       .folder = folder_.path(),
                       .out = ChildStream::of_descriptor(ends[1])});
  ::close(ends[1]);
  std::string printed;
  char c;
  while (printed.find("exit)") == std::string::npos && ::read(ends[0], &c, 1) == 1) printed += c;
  EXPECT_THAT(printed, testing::ContainsRegex(
                           "Viewer available at http://127.0.0.1:[0-9]+/  .press Ctrl.C to exit"));
  ::kill(server.pid(), SIGINT);
  const ExitStatus status = *server.wait();
  ::close(ends[0]);
  EXPECT_EQ(status.code, 0);
}

}  // namespace
}  // namespace polygraphy::cli
