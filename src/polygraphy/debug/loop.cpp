#include "polygraphy/debug/loop.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/arrays/py_repr.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using log_modules::kIterativeDebug;
using log_modules::kUtil;

constexpr int64_t kMostRounds = 100'000;

// "replay.json" -> "replay_skip_current.json": what to load so that a round that brought the
// machine down is not tried again.
std::string skip_current(const std::string& path) {
  const fs::path original(path);
  return (original.parent_path() /
          (original.stem().string() + "_skip_current" + original.extension().string()))
      .string();
}

std::string iteration_json(int64_t index) {
  return "{\n    \"iteration\": " + std::to_string(index) + "\n}";
}

}  // namespace

DebugLoop::DebugLoop(LoopOptions options, Check& check, Logger& log)
    : options_(std::move(options)), check_(check), log_(log) {
  if (!options_.artifact.empty() && fs::exists(fs::symlink_status(options_.artifact))) {
    throw Error(options_.artifact + " already exists, refusing to overwrite.",
                "Each iteration writes and removes this file: move it away, or give another path "
                "with --iter-artifact.");
  }
  if (options_.load_replay.empty()) return;
  log_.info(kUtil, "Loading debug replay from " + options_.load_replay);
  loaded_ = load_replay(options_.load_replay);
}

LoopSummary DebugLoop::run(LoopSubject& subject, const std::string& suffix) {
  begin(suffix);
  while (subject.next(round(subject))) {
    if (summary_.rounds < kMostRounds) continue;
    log_.warning(kIterativeDebug, "Stopping after " + std::to_string(kMostRounds) +
                                      " iterations, the most there can be.");
    break;
  }
  return finish();
}

void DebugLoop::begin(const std::string& suffix) {
  suffix_ = suffix;
  summary_ = {};
}

LoopRound DebugLoop::round(LoopSubject& subject) {
  LoopRound round;
  round.index = summary_.rounds;
  const std::string number = std::to_string(round.index + 1);
  const double started = seconds_now();
  const Logger::Indent indent(log_);
  const std::optional<int64_t> remaining = subject.remaining();
  log_.start(kIterativeDebug, "RUNNING | Iteration " + number +
                                  (remaining ? " | Approximately " + std::to_string(*remaining) +
                                                   " iteration(s) remaining"
                                             : std::string()));
  check(subject, round);
  const std::string text =
      " | Iteration " + number + " | Duration " + py_float_repr(seconds_now() - started) + "s";
  if (round.verdict.passed) {
    log_.finish(kIterativeDebug, "PASSED" + text);
  } else {
    log_.error(kIterativeDebug, "FAILED" + text);
  }
  ++summary_.rounds;
  summary_.passed += round.verdict.passed ? 1 : 0;
  return round;
}

LoopSummary DebugLoop::finish() {
  const std::string rounds = std::to_string(summary_.rounds);
  std::string text = "Finished " + rounds +
                     " iteration(s) | Passed: " + std::to_string(summary_.passed) + "/" + rounds;
  if (summary_.rounds > 0) {  // none: interrupted in the first
    text += " | Pass Rate: " +
            py_float_repr(static_cast<double>(summary_.passed) * 100.0 /
                          static_cast<double>(summary_.rounds)) +
            "%";
  }
  log_.info(kIterativeDebug, text);
  return summary_;
}

void DebugLoop::check(LoopSubject& subject, LoopRound& round) {
  const std::string key = "_N" + std::to_string(round.index) + suffix_;
  if (const ReplayEntry* entry = loaded_.find(key)) {
    log_.info(kIterativeDebug,
              std::string("Loading iteration information from debug replay: success=") +
                  (entry->success ? "True" : "False"));
    round.state = entry->state;
    round.verdict.passed = entry->success;
    subject.replay(round);
    replay_.set(key, *entry);
    return;
  }

  // Whatever happens from here on, what the round makes goes.
  struct Cleaner {
    DebugLoop& loop;
    bool moved = false;
    ~Cleaner() { loop.clean_up(moved); }
  } cleaner{*this};

  std::optional<Verdict> known;
  {
    const Logger::Indent indent(log_);
    known = subject.make(round);
  }
  if (!options_.iter_info.empty())
    write_file(options_.iter_info, iteration_json(round.index), Durability::kNone);
  const auto record = [&](bool success) {
    replay_.set(key, ReplayEntry{round.state, round.index, success});
  };
  if (!options_.save_replay.empty()) {
    record(false);
    write_file(skip_current(options_.save_replay), to_json(replay_), Durability::kNone);
  }
  if (known) {
    round.verdict = *known;
  } else {
    round.verdict = check_.run(options_.artifact);
    sort_artifacts(options_.artifacts, round.index, suffix_, round.verdict.passed, log_);
    cleaner.moved = std::find(options_.artifacts.paths.begin(), options_.artifacts.paths.end(),
                              options_.artifact) != options_.artifacts.paths.end();
  }
  record(round.verdict.passed);
  if (!options_.save_replay.empty()) {
    log_.info(kUtil, "Saving debug replay to " + options_.save_replay);
    write_file(options_.save_replay, to_json(replay_), Durability::kNone);
  }
}

void DebugLoop::clean_up(bool artifact_was_moved) {
  const auto remove = [this](const std::string& path, bool may_be_gone) {
    if (path.empty() || ::unlink(path.c_str()) == 0) return;
    if (errno == ENOENT && may_be_gone) return;
    log_.warning(kIterativeDebug, "Could not clean up: " + path);
  };
  if (!options_.keep_artifact)
    remove(options_.artifact, artifact_was_moved || options_.artifact_elsewhere);
  remove(options_.iter_info, true);
}

}  // namespace polygraphy
