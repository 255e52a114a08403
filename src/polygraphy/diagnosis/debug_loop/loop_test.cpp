#include "polygraphy/diagnosis/debug_loop/loop.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/progress.h"
#include "polygraphy/diagnosis/debug_loop/command_check.h"
#include "polygraphy/diagnosis/debug_loop/interactive_check.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// Each round writes the artifact, if there is one, with its number in it. The verdicts.
std::vector<bool> run_rounds(DebugLoop& loop, Check& check, int rounds,
                             const std::string& suffix = {}) {
  std::vector<bool> verdicts;
  loop.begin(suffix);
  for (int i = 0; i < rounds; ++i) {
    DebugLoop::Round round(loop);
    CheckResult verdict;
    if (const ReplayEntry* entry = round.replayed()) {
      verdict.passed = entry->success;
    } else {
      if (!loop.artifact().empty()) write_file(loop.artifact(), std::to_string(round.index()));
      OrderedMap<int64_t> state;
      state.set("num_nodes", round.index() * 10);
      round.begin(std::move(state));
      round.made();
      verdict = check.run(loop.artifact());
    }
    round.end(verdict);
    verdicts.push_back(verdict.passed);
  }
  return verdicts;
}

std::string content(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class LoopTest : public testing::Test {
 protected:
  LoopTest() : log_([this](Severity, std::string_view text) { (text_ += text) += '\n'; }) {
    fs::create_directories(folder_);
  }
  ~LoopTest() override { fs::remove_all(folder_); }

  std::string in(const std::string& name) const { return (folder_ / name).string(); }
  std::unique_ptr<Check> shell(const std::string& command) {
    return command_check({.command = {"sh", "-c", command}}, log_);
  }
  LoopOptions options() const { return {.artifact = in("artifact.txt")}; }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     ("loop_test_" + std::to_string(::getpid()) + "_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string text_;
  Logger log_;
};

TEST_F(LoopTest, ProgressCountsFinishedRounds) {
  std::vector<std::string> seen;
  const ProgressWatch watch([&](std::span<const Progress> phases) {
    if (phases.empty()) return;
    const auto total = phases[0].total;
    seen.push_back(std::to_string(phases[0].done) + (total ? "/" + std::to_string(*total) : ""));
  });
  DebugLoop loop({}, log_);
  loop.begin();
  for (const int64_t remaining : {2, 1}) {
    DebugLoop::Round round(loop, remaining);
    round.begin({});
    round.made();
    seen.emplace_back("check");
    round.end({.passed = true});
  }
  EXPECT_THAT(seen, ElementsAre("0", "0/2", "check", "1/2", "1/2", "check", "2/2"));
}

TEST_F(LoopTest, ChecksWhatEachRoundMakes) {
  const auto check = shell("test \"$(cat \"$POLYGRAPHY_DEBUG_MODEL\")\" != 1");
  DebugLoop loop(options(), log_);
  EXPECT_THAT(run_rounds(loop, *check, 3), ElementsAre(true, false, true));
  const LoopSummary summary = loop.finish();
  EXPECT_EQ(summary.passed, 2);
  EXPECT_EQ(summary.rounds, 3);
  EXPECT_FALSE(fs::exists(in("artifact.txt")));
  EXPECT_THAT(text_, HasSubstr("Finished 3 iteration(s) | Passed: 2/3 | Pass Rate: "
                               "66.66666666666667%"));
}

TEST_F(LoopTest, InterruptedInTheFirstRoundThereIsNoPassRate) {
  DebugLoop loop(options(), log_);
  loop.begin();
  EXPECT_EQ(loop.finish().rounds, 0);
  EXPECT_THAT(text_, HasSubstr("Finished 0 iteration(s) | Passed: 0/0\n"));
}

TEST_F(LoopTest, RemembersVerdictsInAReplay) {
  LoopOptions saving = options();
  saving.save_replay = in("replay.json");
  const auto check = shell("grep -q 0 \"$POLYGRAPHY_DEBUG_MODEL\"");
  DebugLoop loop(saving, log_);
  run_rounds(loop, *check, 2, "_outputs");
  EXPECT_EQ(content(in("replay.json")), R"({
    "_N0_outputs": {
        "state": {
            "num_nodes": 0
        },
        "iteration_info": {
            "iteration": 0
        },
        "success": true,
        "polygraphy_class": "IterationContext"
    },
    "_N1_outputs": {
        "state": {
            "num_nodes": 10
        },
        "iteration_info": {
            "iteration": 1
        },
        "success": false,
        "polygraphy_class": "IterationContext"
    }
})");

  LoopOptions loading = options();
  loading.load_replay = in("replay.json");
  const auto never = shell("exit 7");
  DebugLoop again(loading, log_);
  EXPECT_THAT(run_rounds(again, *never, 2, "_outputs"), ElementsAre(true, false));
  EXPECT_THAT(text_, testing::Not(HasSubstr("exit 7")));
}

TEST_F(LoopTest, TheRoundUnderWayCountsAsFailedInCaseItBringsTheMachineDown) {
  LoopOptions saving = options();
  saving.save_replay = in("replay.json");
  const auto check = shell("cp " + in("replay_skip_current.json") + " " + in("seen.json"));
  DebugLoop loop(saving, log_);
  run_rounds(loop, *check, 1);
  EXPECT_THAT(content(in("seen.json")), HasSubstr("\"success\": false"));
}

TEST_F(LoopTest, TellsTheCheckWhichRoundItIs) {
  LoopOptions telling = options();
  telling.iter_info = in("iter.json");
  const auto check = shell("cp " + in("iter.json") + " " + in("seen.json"));
  DebugLoop loop(telling, log_);
  run_rounds(loop, *check, 2);
  EXPECT_EQ(content(in("seen.json")), "{\n    \"iteration\": 1\n}");
  EXPECT_FALSE(fs::exists(in("iter.json")));
}

TEST_F(LoopTest, SortsArtifactsIntoGoodAndBad) {
  LoopOptions sorting = options();
  sorting.artifacts = {.paths = {in("artifact.txt"), in("missing.log")},
                       .folder = in("sorted"),
                       .stamp = "11-21-26_15-48-51"};
  const auto check = shell("grep -q 0 \"$POLYGRAPHY_DEBUG_MODEL\"");
  DebugLoop loop(sorting, log_);
  run_rounds(loop, *check, 2, "_inputs");
  EXPECT_EQ(content(in("sorted/good/artifact_11-21-26_15-48-51_N0_inputs.txt")), "0");
  EXPECT_EQ(content(in("sorted/bad/artifact_11-21-26_15-48-51_N1_inputs.txt")), "1");
  EXPECT_THAT(text_, HasSubstr("Artifact: " + in("missing.log") + " does not exist, skipping."));
  EXPECT_THAT(text_, testing::Not(HasSubstr("Could not clean up")));
}

TEST_F(LoopTest, NothingIsMissedOfARoundThatIsDecidedWithoutACheck) {
  DebugLoop loop(options(), log_);
  loop.begin();
  {
    DebugLoop::Round round(loop);
    round.begin({});
    round.made();
    round.end({.passed = true}, false);
  }
  EXPECT_THAT(text_, testing::Not(HasSubstr("Could not clean up")));
}

TEST_F(LoopTest, DoesNotOverwriteWhatIsThere) {
  write_file(in("artifact.txt"), "precious");
  EXPECT_THROW(DebugLoop(options(), log_), Error);
  EXPECT_EQ(content(in("artifact.txt")), "precious");
}

TEST_F(LoopTest, ACommandThatCannotBeStartedIsAnErrorAndNoVerdict) {
  const auto check = command_check({.command = {"no-such-program-here"}}, log_);
  DebugLoop loop(options(), log_);
  EXPECT_THROW(run_rounds(loop, *check, 2), Error);
  EXPECT_EQ(loop.finish().rounds, 0);
  EXPECT_FALSE(fs::exists(in("artifact.txt")));
}

TEST_F(LoopTest, TheCommandPolygraphyIsThisProgramWhateverItsName) {
  write_file(in("polygraphy native"), "#!/bin/sh\necho ours \"$@\"\n");
  fs::permissions(in("polygraphy native"), fs::perms::owner_all);
  const std::vector<std::vector<std::string>> commands = {
      {"polygraphy", "run", "a b.onnx"}, {"sh", "-c", "true && polygraphy run 'a b.onnx' | cat"}};
  for (const auto& command : commands) {
    text_.clear();
    const auto check = command_check(
        {.command = command, .polygraphy = in("polygraphy native"), .show_output = true}, log_);
    DebugLoop loop(options(), log_);
    EXPECT_THAT(run_rounds(loop, *check, 1), ElementsAre(true));
    EXPECT_THAT(text_, HasSubstr("ours run a b.onnx"));
    EXPECT_THAT(text_, HasSubstr("Running check command: " + command.front()));
    EXPECT_THAT(text_, testing::Not(HasSubstr("polygraphy native"))) << "the command as typed";
  }
}

TEST_F(LoopTest, ACommandThatHangsIsKilledWithWhatItStarted) {
  const auto check = command_check(
      {.command = {"sh", "-c", "echo begun; sleep 100 & sleep 100"}, .timeout = 0.2}, log_);
  DebugLoop loop(options(), log_);
  EXPECT_THAT(run_rounds(loop, *check, 1), ElementsAre(false));
  EXPECT_THAT(text_, HasSubstr("begun"));
  EXPECT_THAT(text_, HasSubstr("it took longer than 0.2 s"));
}

TEST_F(LoopTest, OfAFloodTheEndIsKept) {
  const auto check = shell("yes | head -c 70000000; echo the end; exit 1");
  DebugLoop loop(options(), log_);
  run_rounds(loop, *check, 1);
  EXPECT_THAT(text_, HasSubstr("bytes before this were dropped"));
  EXPECT_THAT(text_, HasSubstr("the end"));
}

TEST_F(LoopTest, SomebodyMayBeAskedInstead) {
  std::vector<std::string> answers = {"maybe", "Pass", "f"}, questions;
  const auto check = interactive_check([&](const std::string& question) {
    questions.push_back(question);
    std::optional<std::string> answer = answers.front();
    answers.erase(answers.begin());
    return answer;
  });
  DebugLoop loop({}, log_);
  EXPECT_THAT(run_rounds(loop, *check, 2), ElementsAre(true, false));
  EXPECT_THAT(questions, ElementsAre(">>> Did 'this iteration' [p]ass or [f]ail? ",
                                     ">>> Please choose either: 'p' or 'f': ",
                                     ">>> Did 'this iteration' [p]ass or [f]ail? "));
}

TEST_F(LoopTest, ADamagedReplayIsNamed) {
  write_file(in("replay.json"), "{\"_N0\": {\"state\": {}}}");
  LoopOptions loading = options();
  loading.load_replay = in("replay.json");
  try {
    DebugLoop(loading, log_);
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("replay.json"));
    EXPECT_THAT(error.what(), HasSubstr("'_N0'"));
  }
}

}  // namespace
}  // namespace polygraphy
