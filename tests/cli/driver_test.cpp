#include "cli/driver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

#include "base/text.h"
#include "cli/command_list.h"
#include "cli/session/environment.h"
#include "in_process.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;

double no_time() {
  return 0;
}

// A terminal that remembers what it was shown, and the order in which two of them were.
class Terminal : public Stream {
 public:
  Terminal(std::string name, std::string& shown) : name_(std::move(name)), shown_(shown) {}
  void write(std::string_view text) override { pending_ += text; }
  void flush() override {
    if (!pending_.empty()) shown_ += name_ + pending_;
    pending_.clear();
  }
  bool terminal() const override { return true; }

 private:
  std::string name_, pending_;
  std::string& shown_;
};

std::string on_terminal(const std::vector<std::string>& args,
                        std::vector<const char*> variables = {}) {
  std::string shown;
  Terminal out("1> ", shown), err("2> ", shown);
  variables.push_back(nullptr);
  Environment env{.out = out,
                  .err = err,
                  .variables = variables.data(),
                  .executable = "/nowhere/bin/polygraphy",
                  .root = {},
                  .clock = no_time};
  run_command_line(env, args);
  return shown;
}

TEST(Driver, FailingRunsSayWhatAndThenThatTheyFailed) {
  EXPECT_EQ(on_terminal({"polygraphy", "run", "--onnxrt", "--log-format", "no-colors"}),
            "1> [I] RUNNING | Command: polygraphy run --onnxrt --log-format no-colors\n"
            "2> [!] One or more runners was specified, but no model file was provided. Make sure "
            "you've specified the model path, and also that it's not being consumed as an argument "
            "for another parameter\n"
            "1> [E] FAILED | Runtime: 0.000s | Command: polygraphy run --onnxrt --log-format "
            "no-colors\n");
}

// As the wheel has it.
TEST(Driver, UnderAnotherNameCommandLinesHaveThatName) {
  TextStream out, err;
  Environment env{.out = out,
                  .err = err,
                  .variables = nullptr,
                  .executable = "/venv/bin/polygraphy-native",
                  .clock = no_time};
  run_command_line(env, {"polygraphy-native", "debug", "reduce", "-h"});
  EXPECT_THAT(out.text(), testing::StartsWith("usage: polygraphy-native debug reduce [-h]"));
  EXPECT_THAT(out.text(), HasSubstr("\nExamples:\n  polygraphy-native debug reduce model.onnx -o"));
  EXPECT_THAT(out.text(), testing::Not(HasSubstr("polygraphy debug reduce")));
  run_command_line(env, {"polygraphy-native", "run", "--rtol"});
  EXPECT_THAT(err.text(), HasSubstr("\npolygraphy-native run: error: argument --rtol"));
  run_command_line(env, {"polygraphy-native", "run", "--verify"});
  EXPECT_THAT(out.text(),
              HasSubstr("'--verify' is an option of `polygraphy-native surgeon sanitize`"));
}

TEST(Driver, HelpIsAWordToo) {
  EXPECT_EQ(run_in_process({"help", "inspect", "model"}).out,
            run_in_process({"inspect", "model", "--help"}).out);
  EXPECT_EQ(run_in_process({"help"}).out, run_in_process({"--help"}).out);
}

TEST(Driver, ColorsOnATerminalOnly) {
  EXPECT_NE(on_terminal({"polygraphy", "run"}).find('\x1b'), std::string::npos);
  EXPECT_EQ(on_terminal({"polygraphy", "run"}, {"NO_COLOR=1"}).find('\x1b'), std::string::npos);
  EXPECT_NE(on_terminal({"polygraphy", "run"}, {"NO_COLOR="}).find('\x1b'), std::string::npos);
  EXPECT_EQ(on_terminal({"polygraphy", "run"}, {"TERM=dumb"}).find('\x1b'), std::string::npos);
  EXPECT_EQ(run_in_process({"run"}).out.find('\x1b'), std::string::npos);
}

TEST(Driver, TheLogFileHoldsEverythingFromTheFirstLine) {
  const TemporaryFolder folder;
  folder.write("log.txt", "old text\n");
  const Outcome outcome =
      run_in_process({"run", "nosuch.onnx", "--log-file", "log.txt"}, {.root = folder.path()});
  EXPECT_EQ(folder.read("log.txt"), outcome.out);
  EXPECT_NE(outcome.out.find("Model path does not exist"), std::string::npos);
  EXPECT_NE(outcome.out.find("RUNNING"), std::string::npos);
}

TEST(Driver, TheLogFileGetsErrorsToo) {
  const TemporaryFolder folder;
  const Outcome outcome = run_in_process({"run", "--onnxrt", "--log-file", "logs/deep/log.txt"},
                                         {.root = folder.path()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(folder.read("logs/deep/log.txt").find("[!] One or more runners"), std::string::npos);
}

// As in CI: the terminal shows nothing, and the folder holds everything.
TEST(Driver, TheLogOfAnOutputFolderIsWholeThoughTheTerminalIsSilent) {
  for (const std::vector<std::string>& quiet :
       {std::vector<std::string>{"--silent"}, {"-qqqqq"}, {"-q"}}) {
    const TemporaryFolder folder;
    folder.write("m.onnx", identity_model());
    std::vector<std::string> args = {"run", "m.onnx",     "--onnxrt", "--output-dir",
                                     "r",   "--log-file", "l.txt"};
    args.insert(args.end(), quiet.begin(), quiet.end());
    const Outcome outcome = run_in_process(args, {.root = folder.path()});
    const std::string log = folder.read("r/log.txt");
    EXPECT_THAT(log, HasSubstr("[I] RUNNING | Command: polygraphy run m.onnx")) << quiet[0];
    EXPECT_THAT(log, HasSubstr("---- Inference Output(s) ----"));
    EXPECT_THAT(log, HasSubstr("[I] PASSED | Runtime"));
    EXPECT_LT(outcome.out.size(), log.size());
    EXPECT_EQ(folder.read("l.txt"), outcome.out) << "as in the original";
  }
}

TEST(Driver, TheLogFileHasNoColors) {
  const TemporaryFolder folder;
  on_terminal({"polygraphy", "run", "--log-file", folder.path() + "/log.txt"});
  const std::string text = folder.read("log.txt");
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("[I] PASSED"), std::string::npos);
}

TEST(Driver, ALogFileThatCannotBeOpenedIsAnError) {
  const TemporaryFolder folder;
  const Outcome outcome = run_in_process({"run", "--log-file", folder.path()});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("[!] cannot write '" + folder.path() + "': Is a directory"),
            std::string::npos);
}

TEST(Driver, VerbosityBeforeTheLeafCountsToo) {
  const std::string with =
      run_in_process({"inspect", "-q", "data", "--quiet", "nosuch.json", "-q"}).err;
  const std::string without = run_in_process({"inspect", "data", "nosuch.json", "-qqq"}).err;
  EXPECT_EQ(with, without);
}

TEST(Driver, HelpGoesToStandardOutputAndIsAsWideAsTheTerminal) {
  for (const int columns : {60, 80, 120}) {
    const Outcome outcome = run_in_process({"run", "--help"}, {.columns = columns});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(outcome.err.empty());
    size_t over = 0, longest = 0, start = 0;
    for (size_t end; (end = outcome.out.find('\n', start)) != std::string::npos; start = end + 1) {
      longest = std::max(longest, end - start);
      // Only the heads of options with long values are not broken.
      const bool head = outcome.out.compare(start, 3, "  -") == 0;
      over += !head && end - start > static_cast<size_t>(columns);
    }
    EXPECT_EQ(over, 0u) << columns;
    EXPECT_GT(longest, static_cast<size_t>(columns) / 2);
  }
}

TEST(Driver, GeneratedTextsNameEveryListedOption) {
  for (const char* kind : {"completion-bash", "completion-zsh", "completion-fish", "man"}) {
    const Outcome outcome = run_in_process({"--generate", kind});
    EXPECT_EQ(outcome.code, 0);
    for (std::string option : {"onnxrt", "rtol", "show-values", "openvino-precision"}) {
      if (std::string(kind) == "man") {
        for (size_t at = 0; (at = option.find('-', at)) != std::string::npos; at += 2)
          option.insert(at, "\\");
      }
      EXPECT_NE(outcome.out.find(option), std::string::npos) << kind << ' ' << option;
    }
  }
}

TEST(Driver, AnInterruptThatWasDeferredDecidesTheExitCode) {
  TextStream out, err;
  Interrupts interrupts;
  interrupts.requested = true;
  Environment env{.out = out,
                  .err = err,
                  .variables = nullptr,
                  .executable = "/nowhere/bin/polygraphy",
                  .root = {},
                  .clock = no_time,
                  .interrupts = &interrupts};
  EXPECT_EQ(run_command_line(env, {"polygraphy", "run"}), 130);
  EXPECT_EQ(err.text(), "[!] Interrupted\n");
  EXPECT_EQ(out.text().find("PASSED"), std::string::npos);
  EXPECT_FALSE(interrupts.deferred) << "the next one ends the process";
}

TEST(DescriptorStream, AClosedPipeIsNoError) {
  ASSERT_NE(std::signal(SIGPIPE, SIG_IGN), SIG_ERR);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  DescriptorStream stream(ends[1], "standard output");
  stream.write("text");
  EXPECT_NO_THROW(stream.flush());
  stream.write(std::string(1 << 20, 'x'));
  EXPECT_NO_THROW(stream.flush());
  ::close(ends[1]);
}

TEST(DescriptorStream, AFullDiskIsAnErrorThatNamesTheStream) {
  const int full = ::open("/dev/full", O_WRONLY);
  if (full < 0) GTEST_SKIP() << "no /dev/full here";
  DescriptorStream stream(full, "standard output");
  stream.write("text");
  try {
    stream.flush();
    FAIL() << "nothing thrown";
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "cannot write to standard output: No space left on device");
  }
  ::close(full);
}

TEST(Report, SaysWhyARunnerIsMissing) {
  const TemporaryFolder folder;
  const std::string model = folder.write("m.onnx", identity_model());
  for (const char* loudness : {"--silent", "-v"}) {
    const Outcome outcome = run_in_process({"run", model, "--onnxrt", "--model-runner",
                                            "/usr/bin/false", loudness, "--report", "r.html"},
                                           {.root = folder.path()});
    EXPECT_EQ(outcome.code, 1) << loudness;
    const std::string page = folder.read("r.html");
    EXPECT_THAT(page, HasSubstr("<h2>FAILED: Could not be compared: false-runner-N0 failed"))
        << loudness;
    EXPECT_THAT(page, HasSubstr("<h2>Errors and warnings</h2>\n<ul>\n<li>")) << loudness;
    EXPECT_THAT(page, HasSubstr("exited with 1")) << loudness;
  }
}

TEST(Report, NamesWhatCouldNotBeCompared) {
  const TemporaryFolder folder;
  const std::string model = folder.write("m.onnx", identity_model());
  folder.write("other.py", "import json; print(json.dumps({'y': [1.0], 'z': [2.0]}))\n");
  const Outcome outcome =
      run_in_process({"run", model, "--onnxrt", "--model-runner", "other.py", "--report", "r.html"},
                     {.root = folder.path()});
  EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
  const std::string page = folder.read("r.html");
  EXPECT_THAT(page, HasSubstr("has these outputs, which were not compared: z</p>"));
  EXPECT_THAT(page, HasSubstr("<td>(2, 3) and (1,)</td>"));
  EXPECT_THAT(page, HasSubstr("Will not compare outputs of different shapes."));
}

// As the run knows them, those of separate processes, too: the page opens no library.
TEST(Report, NamesTheVersionsOfLibraries) {
  const TemporaryFolder folder;
  const std::string model = folder.write("m.onnx", identity_model());
  using Options = std::vector<std::string>;
  for (const Options& options : {Options{}, Options{"--isolate"}, Options{"--timeout", "60"}}) {
    Options words = {"run", model, "--onnxrt", "--report", "r.html"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = run_in_process(words, {.root = folder.path()});
    ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_THAT(folder.read("r.html"), testing::ContainsRegex("Engines</dt><dd>onnxrt [0-9]"));
  }
  const Outcome missing =
      run_in_process({"run", model, "--onnxrt", "--onnxrt-lib", "nosuch.so", "--report", "r.html"},
                     {.root = folder.path()});
  EXPECT_NE(missing.code, 0);
  EXPECT_THAT(folder.read("r.html"), HasSubstr("Engines</dt><dd>onnxrt</dd>"));
}

TEST(Driver, AFullDiskIsReportedOnTheOtherChannel) {
  const int full = ::open("/dev/full", O_WRONLY);
  if (full < 0) GTEST_SKIP() << "no /dev/full here";
  DescriptorStream out(full, "standard output");
  TextStream err;
  Environment env{.out = out,
                  .err = err,
                  .variables = nullptr,
                  .executable = "/nowhere/bin/polygraphy",
                  .root = {},
                  .clock = no_time};
  EXPECT_EQ(run_command_line(env, {"polygraphy", "--help"}), 1);
  EXPECT_EQ(err.text(), "[!] cannot write to standard output: No space left on device\n");
  ::close(full);
}

}  // namespace
}  // namespace polygraphy::cli
