#include "polygraphy/diagnosis/debug_loop/loop.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/clock.h"
#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/files/file_access.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using log_modules::kIterativeDebug;
using log_modules::kUtil;

std::string iteration_json(int64_t index) {
  return "{\n    \"iteration\": " + std::to_string(index) + "\n}";
}

}  // namespace

std::string skip_current(const std::string& path) {
  const fs::path original(path);
  return (original.parent_path() /
          (original.stem().string() + "_skip_current" + original.extension().string()))
      .string();
}

DebugLoop::DebugLoop(LoopOptions options, Logger& log) : options_(std::move(options)), log_(log) {
  if (!options_.artifact.empty() && fs::exists(fs::symlink_status(options_.artifact))) {
    throw Error(
        kArtifactInTheWay, options_.artifact + " already exists, refusing to overwrite.",
        "Each iteration writes and removes this file: move the file, or give another path.");
  }
  if (options_.load_replay.empty()) return;
  log_.info(kUtil, "Loading debug replay from " + options_.load_replay);
  loaded_ = load_replay(options_.load_replay);
}

void DebugLoop::begin(const std::string& suffix) {
  suffix_ = suffix;
  summary_ = {};
  phase_.reset();
  phase_.emplace("iteration");
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
  phase_.reset();
  log_.info(kIterativeDebug, text);
  return summary_;
}

void DebugLoop::clean_up(bool artifact_may_be_gone) {
  const auto remove = [this](const std::string& path, bool may_be_gone) {
    if (path.empty() || remove_file(path)) return;
    if (errno == ENOENT && may_be_gone) return;
    log_.warning(kIterativeDebug, "Could not clean up: " + path);
  };
  if (!options_.keep_artifact)
    remove(options_.artifact, artifact_may_be_gone || options_.artifact_elsewhere);
  remove(options_.iter_info, true);
}

DebugLoop::Round::Round(DebugLoop& loop, std::optional<int64_t> remaining)
    : loop_(loop),
      indent_(loop.log_),
      started_(seconds_now()),
      key_("_N" + std::to_string(index()) + loop.suffix_) {
  loop_.log_.start(
      kIterativeDebug,
      "RUNNING | Iteration " + std::to_string(index() + 1) +
          (remaining ? " | Approximately " + std::to_string(*remaining) + " iteration(s) remaining"
                     : std::string()));
  if (loop_.phase_) {
    std::optional<int64_t> total;
    if (remaining) total = index() + *remaining;
    loop_.phase_->at(index(), total);
  }
  replayed_ = loop_.loaded_.find(key_);
  leaves_files_ = !replayed_;
  entry_.iteration = index();
  if (!replayed_) return;
  loop_.log_.info(kIterativeDebug,
                  std::string("Loading iteration information from debug replay: success=") +
                      (replayed_->success ? "True" : "False"));
}

DebugLoop::Round::~Round() {
  if (leaves_files_) loop_.clean_up(moved_ || !made_);
}

void DebugLoop::Round::made() {
  made_ = true;
  const std::string& info = loop_.options_.iter_info;
  if (!info.empty()) write_file(info, iteration_json(index()), Durability::kNone);
}

void DebugLoop::Round::begin(OrderedMap<int64_t> state) {
  const LoopOptions& options = loop_.options_;
  entry_.state = std::move(state);
  if (options.save_replay.empty()) return;
  loop_.replay_.set(key_, entry_);
  write_file(skip_current(options.save_replay), to_json(loop_.replay_), Durability::kNone);
}

void DebugLoop::Round::record(const CheckResult& verdict, bool checked) {
  if (replayed_) {
    loop_.replay_.set(key_, *replayed_);
    return;
  }
  const LoopOptions& options = loop_.options_;
  if (checked) {
    const std::vector<std::string>& paths = options.artifacts.paths;
    sort_artifacts(options.artifacts, index(), loop_.suffix_, verdict.passed, loop_.log_);
    moved_ = std::find(paths.begin(), paths.end(), options.artifact) != paths.end();
  }
  entry_.success = verdict.passed;
  loop_.replay_.set(key_, entry_);
  if (options.save_replay.empty()) return;
  loop_.log_.info(kUtil, "Saving debug replay to " + options.save_replay);
  write_file(options.save_replay, to_json(loop_.replay_), Durability::kNone);
}

void DebugLoop::Round::end(const CheckResult& verdict, bool checked) {
  record(verdict, checked);
  if (std::exchange(leaves_files_, false)) loop_.clean_up(moved_ || !made_ || !checked);
  const std::string text = " | Iteration " + std::to_string(index() + 1) + " | Duration " +
                           py_float_repr(seconds_now() - started_) + "s";
  if (verdict.passed) {
    loop_.log_.finish(kIterativeDebug, "PASSED" + text);
  } else {
    loop_.log_.error(kIterativeDebug, "FAILED" + text);
  }
  ++loop_.summary_.rounds;
  loop_.summary_.passed += verdict.passed ? 1 : 0;
  if (loop_.phase_) loop_.phase_->at(index());
}

}  // namespace polygraphy
