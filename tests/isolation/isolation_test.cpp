// Runtimes that crash, hang, lie and run out of memory, beside one that does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <regex>

#include "../cli/in_process.h"
#include "base/error.h"
#include "base/os/child_process.h"
#include "polygraphy/data/results/saved_outputs.h"

namespace polygraphy::cli {
namespace {

using testing::HasSubstr;

class IsolationTest : public testing::Test {
 protected:
  IsolationTest() : model_(folder_.write("m.onnx", identity_model())) {}

  // ONNX Runtime beside the double, which does `what`.
  Outcome run(const std::string& what, std::vector<std::string> options = {"--isolate"}) {
    std::vector<std::string> args = {"run",
                                     model_,
                                     "--onnxrt",
                                     "--openvino",
                                     "--openvino-device",
                                     what,
                                     "--save-outputs",
                                     folder_.path() + "/o.json"};
    args.insert(args.end(), options.begin(), options.end());
    Outcome outcome = run_in_process(args, {.variables = {"POLYGRAPHY_BACKEND_DIR=" PG_PLUGINS}});
    outcome.out = without_dates(outcome.out);
    outcome.err = without_dates(outcome.err);
    return outcome;
  }
  // The same without --isolate, in a process that the double may end.
  std::unique_ptr<ChildProcess> run_in_own_process(const std::string& what) const {
    return std::make_unique<ChildProcess>(ChildOptions{
        .argv = {PG_BINARY_DIR "/bin/polygraphy", "run", model_, "--onnxrt", "--openvino",
                 "--openvino-device", what, "--save-outputs", folder_.path() + "/o.json"},
        .environment = {{"POLYGRAPHY_BACKEND_DIR", PG_PLUGINS}},
        .out = ChildStream::capture(),
        .err = ChildStream::capture()});
  }
  // No results, and no half of them.
  bool nothing_is_left() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      if (entry.path() != model_) return false;
    return true;
  }
  // How many iterations of each runner were saved.
  std::string saved() const {
    Logger quiet;
    std::string counts;
    const RunResults results = load_results(folder_.path() + "/o.json", quiet);
    for (const auto& [name, iterations] : results.runners)
      counts += std::to_string(iterations.size()) + " ";
    return counts;
  }

  const TemporaryFolder folder_;
  const std::string model_;
};

TEST_F(IsolationTest, TheLogReadsTheSame) {
  const auto comparable = [](const Outcome& outcome) {
    std::string text = std::regex_replace(outcome.out, std::regex("Command: .*"), "");
    text = std::regex_replace(text, std::regex("in [0-9.]+ ms"), "in <t>");
    return std::regex_replace(text, std::regex("time: [0-9.]+ ms"), "time: <t>");
  };
  const Outcome apart = run("well-behaved", {"--isolate", "-v"});
  EXPECT_EQ(apart.code, 0) << apart.out << apart.err;
  EXPECT_THAT(apart.out, HasSubstr("[I] The double has loaded a model\n"));
  const Outcome together = run("well-behaved", {"-v"});
  EXPECT_EQ(comparable(apart), comparable(together));
  for (const char* options : {"--use-subprocess", "--timeout=100"})
    EXPECT_EQ(comparable(run("well-behaved", {options, "-v"})), comparable(together));
}

TEST_F(IsolationTest, ACrashIsThatRunnersFailureInOneLine) {
  for (const bool sequential : {false, true}) {
    std::vector<std::string> options = {"--isolate", "--iterations", "3"};
    if (sequential) options.emplace_back("--sequential-runners");
    const Outcome outcome = run("second-crash", options);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out,
                HasSubstr("[E] openvino-runner-N0-<date> | Failed in iteration 1: openvino was "
                          "killed by SIGSEGV (Segmentation fault) when it ran the model | Its last "
                          "words: double: something is wrong / double: giving up\n"));
    EXPECT_THAT(outcome.out, HasSubstr("Passed: 1/1 iterations"));
    EXPECT_THAT(outcome.out, HasSubstr("[E] Failed Runners: ['openvino-runner-N0-<date>'] | "));
    EXPECT_THAT(outcome.out, HasSubstr("[E] FAILED | Runtime"));
    EXPECT_EQ(saved(), "3 1 ");
  }
}

TEST_F(IsolationTest, HoweverItEndsTheOthersGoOn) {
  const std::pair<const char*, const char*> cases[] = {
      {"load-crash",
       "Failed in activation: openvino was killed by SIGSEGV (Segmentation fault) when "
       "it was activated"},
      {"abort", "Failed in iteration 0: openvino was killed by SIGABRT (Aborted) when it ran"},
      {"exit", "Failed in iteration 0: openvino exited with 7 when it ran the model"},
      {"killed",
       "was killed by SIGKILL (Killed) when it ran the model\n    The system may have killed it "
       "for lack of memory."},
      {"fail", "Failed in iteration 0: openvino failed to run"},
      {"out-of-memory", "cannot allocate 4611686018427387904 bytes"},
      {"refuse", "Failed in activation: openvino cannot load"},
      {"too-short", "Failed in iteration 0: openvino failed to run"},
  };
  for (const auto& [what, message] : cases) {
    const Outcome outcome = run(what);
    EXPECT_EQ(outcome.code, 1) << what;
    EXPECT_THAT(outcome.out, HasSubstr(message)) << what;
    EXPECT_EQ(saved(), "1 0 ") << what;
  }
}

TEST_F(IsolationTest, AWrongShapeIsAMismatch) {
  const Outcome outcome = run("wrong-shape");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("FAILED | simple | Mismatched outputs: ['y']"));
  EXPECT_EQ(saved(), "1 1 ");
}

TEST_F(IsolationTest, ARunnerThatHangsIsKilled) {
  for (const char* what : {"hang", "load-hang"}) {
    // The double hangs for ever; the test checks that the run returns.
    const Outcome outcome = run(what, {"--timeout", "0.5"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("openvino exceeded 0.5 s"));
    EXPECT_EQ(saved(), "1 0 ");
  }
}

// Its results are complete by then, so a failed close is only a warning.
TEST_F(IsolationTest, ARunnerThatCannotBeClosedIsWarnedOf) {
  const std::pair<const char*, const char*> cases[] = {
      {"unload-crash",
       "[W] openvino-runner-N0-<date> | openvino was killed by SIGSEGV (Segmentation fault) when "
       "it was closed | Its last words: double: something is wrong / double: giving up\n"},
      {"unload-exit",
       "[W] openvino-runner-N0-<date> | openvino exited with 7 when it was closed\n"},
      {"unload-hang",
       "[W] openvino-runner-N0-<date> | openvino exceeded 0.5 s when it was closed, and was "
       "killed\n"},
  };
  for (const auto& [what, warning] : cases) {
    const Outcome outcome = run(what, {"--isolate", "--timeout", "0.5"});
    EXPECT_EQ(outcome.code, 0) << what;
    EXPECT_THAT(outcome.out, HasSubstr(warning));
    EXPECT_THAT(outcome.out, HasSubstr("Passed: 1/1 iterations")) << what;
    EXPECT_EQ(saved(), "1 1 ");
  }
}

TEST_F(IsolationTest, AloneItsFailureIsThatOfTheRun) {
  const Outcome outcome =
      run_in_process({"run", model_, "--openvino", "--openvino-device", "crash", "--isolate"},
                     {.variables = {"POLYGRAPHY_BACKEND_DIR=" PG_PLUGINS}});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("was killed by SIGSEGV"));
}

TEST_F(IsolationTest, WhatItPrintsOnStandardErrorIsShown) {
  EXPECT_THAT(run("noise").out, HasSubstr("double: a word on the side"));
}

TEST_F(IsolationTest, WrongOptionsEndTheRunAsEver) {
  const Outcome outcome = run("well-behaved", {"--timeout", "-1"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err,
              HasSubstr("--timeout must be a positive number of seconds, but was: -1"));
}

// In our process no results can be kept, but the failure is reported.
TEST_F(IsolationTest, ACrashInOurProcessNamesTheRunnerAndTheRemedy) {
  const auto child = run_in_own_process("crash");
  EXPECT_EQ(child->wait(60)->signal, SIGSEGV);
  EXPECT_THAT(
      without_dates(child->err().text),
      HasSubstr("[!] openvino-runner-N0-<date> crashed when it ran the model: SIGSEGV. With "
                "--isolate, the other runners' results are kept.\n"));
  EXPECT_TRUE(nothing_is_left());
}

// It writes the versions of all libraries when the search is over.
TEST_F(IsolationTest, AReproductionOutlivesALibraryThatCrashes) {
  ChildProcess reduce({.argv = {PG_BINARY_DIR "/bin/polygraphy", "debug", "reduce", model_, "-o",
                                folder_.path() + "/r.onnx", "--reproduction", folder_.path() + "/r",
                                "--check", "sh", "-c", "! grep -q Identity \"$0\"", "{model}"},
                       .environment = {{"POLYGRAPHY_BACKEND_DIR", PG_PLUGINS},
                                       {"POLYGRAPHY_OPENVINO_LIB", "crash"}},
                       .folder = folder_.path(),
                       .out = ChildStream::capture(),
                       .err = ChildStream::capture()});
  EXPECT_TRUE(reduce.wait(60)->success()) << reduce.out().text << reduce.err().text;
  const std::string versions = folder_.read("r/versions.txt");
  EXPECT_THAT(versions, testing::ContainsRegex("onnxrt [0-9]"));
  EXPECT_THAT(versions, testing::Not(HasSubstr("openvino")));
}

// A limit of the system (ulimit -f) is an error when writing, not a signal that ends us.
TEST_F(IsolationTest, AFileThatMayNotGrowIsAnError) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "/o.json' (after 0 bytes): File too large\n"},
      {"--isolate", "cannot share tensors with a runner's process: ftruncate: File too large\n"}};
  for (const auto& [isolate, message] : cases) {
    ChildProcess child(
        {.argv = {"sh", "-c", "ulimit -f 0; exec \"$0\" run \"$1\" --onnxrt $2 \"$3\"",
                  PG_BINARY_DIR "/bin/polygraphy", model_, *isolate ? isolate : "--save-outputs",
                  *isolate ? "-q" : folder_.path() + "/o.json"},
         .out = ChildStream::capture(),
         .err = ChildStream::capture()});
    const ExitStatus status = *child.wait(60);
    EXPECT_EQ(status.code, 1) << to_text(status);
    EXPECT_THAT(child.err().text, HasSubstr(message));
    EXPECT_TRUE(nothing_is_left());
  }
}

// ONNX Runtime would keep an identifier of the machine there, and report to its maker.
TEST_F(IsolationTest, ARunLeavesNothingInTheUsersHome) {
  for (const char* options : {"", "--isolate"}) {
    const TemporaryFolder home;
    ChildProcess child(
        {.argv = {"sh", "-c", "unset ORT_DISABLE_TELEMETRY; exec \"$0\" run \"$1\" --onnxrt $2",
                  PG_BINARY_DIR "/bin/polygraphy", model_, options},
         .environment = {{"HOME", home.path()}, {"XDG_CACHE_HOME", home.path()}},
         .out = ChildStream::capture(),
         .err = ChildStream::capture()});
    EXPECT_EQ(child.wait(60)->code, 0) << child.err().text;
    EXPECT_TRUE(std::filesystem::is_empty(home.path())) << options;
  }
}

// A library that calls exit(0) must not look like a run that passed.
TEST_F(IsolationTest, ARuntimeThatEndsOurProcessIsAFailure) {
  const std::pair<const char*, const char*> cases[] = {{"load-exit", "was activated"},
                                                       {"exit", "ran the model"},
                                                       {"exit-0", "ran the model"},
                                                       {"unload-exit-0", "was closed"}};
  for (const auto& [what, doing] : cases) {
    const auto child = run_in_own_process(what);
    EXPECT_EQ(child->wait(60)->code, 1) << what;
    EXPECT_THAT(
        without_dates(child->err().text),
        HasSubstr("[!] openvino-runner-N0-<date> ended the whole process when it " +
                  std::string(doing) + ". With --isolate, the other runners' results are kept.\n"));
    if (doing != std::string("was closed")) {
      EXPECT_TRUE(nothing_is_left()) << what;
    }
  }
}

}  // namespace
}  // namespace polygraphy::cli
