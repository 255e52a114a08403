#include "polygraphy/diagnosis/debug_loop/rounds.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/file_text.h"
#include "base/os/scratch_folder.h"
#include "polygraphy/diagnosis/debug_loop/repeat.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

// Passes files whose text is an even number.
class EvenPasses : public Check {
 public:
  explicit EvenPasses(Logger& log) : log_(log) {}
  CheckResult run(const std::string& artifact) override {
    const std::string text = read_text(artifact);
    log_.info(log_modules::kIterativeDebug, "Checking " + text);
    return {.passed = std::stoi(text) % 2 == 0};
  }

 private:
  Logger& log_;
};

struct Seen {
  LoopSummary summary;
  std::vector<std::string> messages, files;
  std::string replay;
};

// Files by name; those that rounds have sorted with their text.
std::vector<std::string> files_in(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().lexically_relative(folder).string();
    files.insert(name + (name.ends_with(".txt") ? "=" + read_text(entry.path().string()) : ""));
  }
  return {files.begin(), files.end()};
}

class RoundsTest : public testing::Test {
 protected:
  // The rounds make the numbers 0, 1, 2 …; the round `broken` makes nothing.
  Seen run(int at_a_time, const Until& until, int64_t broken = -1) {
    const ScratchFolder folder(temporary_folder() + "/.polygraphy-rounds-");
    const std::string artifact = folder / "number.txt", further = folder / "tactics.txt";
    Seen seen;
    Logger log;
    log.set_relay([&](Severity, std::string_view, std::string_view text, Once, int) {
      if (text.find("Duration") == text.npos)
        seen.messages.emplace_back(text.substr(0, text.find(folder.path())));
    });
    DebugLoop loop({.artifact = artifact,
                    .further = {further},
                    .artifact_elsewhere = at_a_time > 1,
                    .artifacts = {.paths = {artifact, further}, .folder = folder / "sorted"},
                    .save_replay = folder / "replay.json"},
                   log);
    Rounds rounds(
        loop,
        {.check = [](Logger& to, CancelToken) { return std::make_unique<EvenPasses>(to); },
         .at_a_time = at_a_time,
         .files = {artifact, further}},
        log);
    const auto work = [&](int64_t round) {
      const auto make = [=](const RoundFiles& files, Logger& to, CancelToken) {
        to.info(log_modules::kIterativeDebug, "Making " + files.path(artifact));
        if (round == broken) return false;
        write_file(files.path(further), "of " + std::to_string(round));
        write_file(files.path(artifact), std::to_string(round));
        return true;
      };
      return RoundWork{.key = std::to_string(round), .make = make};
    };
    seen.summary = repeat(
        until, loop,
        [&](int64_t round) {
          return rounds.run(work(round), made_of<RoundWork, int64_t>(
                                             rounds_after(until, round), [&](int64_t next) {
                                               return std::optional(work(next));
                                             }));
        },
        log);
    rounds.stop();
    seen.files = files_in(folder.path());
    seen.replay = read_text(folder / "replay.json");
    return seen;
  }

  void expect_the_same(const Until& until, int64_t broken = -1) {
    const Seen one = run(1, until, broken);
    EXPECT_THAT(one.messages, testing::Contains("Making "));
    for (const int at_a_time : {2, 3, 7}) {
      const Seen several = run(at_a_time, until, broken);
      EXPECT_EQ(several.messages, one.messages) << at_a_time;
      EXPECT_EQ(several.files, one.files) << at_a_time;
      EXPECT_EQ(several.replay, one.replay) << at_a_time;
      EXPECT_EQ(several.summary.rounds, one.summary.rounds);
      EXPECT_EQ(several.summary.passed, one.summary.passed);
    }
  }
};

TEST_F(RoundsTest, SoManyRoundsLeaveTheSame) {
  expect_the_same({.kind = Until::Kind::kCount, .count = 9});
}

TEST_F(RoundsTest, TheFirstByNumberEndsThem) {
  expect_the_same({.kind = Until::Kind::kBad});
  expect_the_same({.kind = Until::Kind::kGood});
}

TEST_F(RoundsTest, WhatCannotBeMadeFails) {
  expect_the_same({.kind = Until::Kind::kCount, .count = 5}, 2);
  expect_the_same({.kind = Until::Kind::kBad}, 0);
  EXPECT_EQ(run(2, {.kind = Until::Kind::kCount, .count = 5}, 2).summary.passed, 2);
}

TEST_F(RoundsTest, RoundsRunAtTheSameTime) {
  const ScratchFolder folder(temporary_folder() + "/.polygraphy-rounds-");
  Logger silent;
  DebugLoop loop({.artifact = folder / "number.txt", .artifact_elsewhere = true}, silent);
  Rounds rounds(loop,
                {.check = [](Logger& to, CancelToken) { return std::make_unique<EvenPasses>(to); },
                 .at_a_time = 2,
                 .files = {loop.artifact()}},
                silent);
  // Each waits until both are there.
  std::atomic<int> there = 0;
  const auto work = [&](std::string key) {
    return RoundWork{.key = key,
                     .make = [&there, &loop](const RoundFiles& files, Logger&, CancelToken) {
                       for (++there; there < 2;) std::this_thread::yield();
                       write_file(files.path(loop.artifact()), "2");
                       return true;
                     }};
  };
  loop.begin();
  EXPECT_TRUE(rounds.run(work("a"), in_order<RoundWork>({work("b")})));
  EXPECT_TRUE(rounds.run(work("b")));
}

TEST_F(RoundsTest, AWorkThatIsNoLongerWantedIsStopped) {
  const ScratchFolder folder(temporary_folder() + "/.polygraphy-rounds-");
  Logger silent;
  DebugLoop loop({.artifact = folder / "number.txt", .artifact_elsewhere = true}, silent);
  Rounds rounds(loop,
                {.check = [](Logger& to, CancelToken) { return std::make_unique<EvenPasses>(to); },
                 .at_a_time = 2,
                 .files = {loop.artifact()}},
                silent);
  std::mutex device;
  std::atomic<bool> waits = false;
  const auto endless = [&](const RoundFiles&, Logger&, CancelToken cancel) {
    const std::lock_guard turn(device);
    for (waits = true; !cancel.cancelled();) std::this_thread::yield();
    cancel.check();
    return true;
  };
  const auto quick = [&](const RoundFiles& files, Logger&, CancelToken) {
    while (!waits) std::this_thread::yield();
    write_file(files.path(loop.artifact()), "2");
    return true;
  };
  const auto needs_device = [&](const RoundFiles& files, Logger&, CancelToken) {
    const std::lock_guard turn(device);
    write_file(files.path(loop.artifact()), "4");
    return true;
  };
  loop.begin();
  EXPECT_TRUE(rounds.run({.key = "a", .make = quick},
                         in_order<RoundWork>({{.key = "guess", .make = endless}})));
  EXPECT_TRUE(rounds.run({.key = "b", .make = needs_device}));
  rounds.stop();
  EXPECT_THAT(files_in(folder.path()), IsEmpty());
}

TEST_F(RoundsTest, AFileInTheWayIsKept) {
  const ScratchFolder folder(temporary_folder() + "/.polygraphy-rounds-");
  write_file(folder / "number_2.txt", "mine");
  Logger silent;
  DebugLoop loop({.artifact = folder / "number.txt"}, silent);
  try {
    Rounds rounds(loop, {.at_a_time = 2, .files = {loop.artifact()}}, silent);
    ADD_FAILURE() << "overwrites it";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kRoundFileInTheWay);
    EXPECT_THAT(error.what(), HasSubstr("number_2.txt"));
  }
  EXPECT_EQ(read_text(folder / "number_2.txt"), "mine");
}

}  // namespace
}  // namespace polygraphy
