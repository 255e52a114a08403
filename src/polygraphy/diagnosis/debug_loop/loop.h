// The rounds that all `debug` commands consist of: a round's log messages, the files that it leaves
// behind, and the replay. The caller makes the model of a round, and checks it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/log.h"
#include "base/ordered_map.h"
#include "base/progress.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/loop_options.h"
#include "polygraphy/diagnosis/debug_loop/replay.h"

namespace polygraphy {

inline constexpr ErrorCode kArtifactInTheWay{"debug-artifact-in-the-way"};

struct LoopSummary {
  int64_t passed = 0, rounds = 0;
};

// "replay.json" -> "replay_skip_current.json": what to load so that a round that brought the
// machine down is not tried again.
std::string skip_current(const std::string& path);

class DebugLoop {
 public:
  // Loads the replay. Throws Error: the artifact is there already (kArtifactInTheWay), the replay
  // cannot be read. `log` must outlive the loop.
  DebugLoop(LoopOptions options, Logger& log);

  const std::string& artifact() const { return options_.artifact; }

  // Rounds from here on are numbered from 0. `suffix` distinguishes phases of one session in the
  // replay: "_outputs".
  void begin(const std::string& suffix = {});
  class Round;
  // Logs how many rounds there were since begin(), and how many of them passed.
  LoopSummary finish();

 private:
  void clean_up(bool artifact_may_be_gone);

  LoopOptions options_;
  Logger& log_;
  DebugReplay loaded_, replay_;
  std::string suffix_;
  LoopSummary summary_;  // of the rounds since begin()
  std::optional<ProgressPhase> phase_;
};

// One round, in this order: replayed(); where that is null, begin(), the caller makes something,
// made(), and the caller checks it; end(). Messages are indented meanwhile. A round that ends
// early, by an exception, counts for nothing: the replay holds the rounds before. Files that the
// round has made are removed in any case.
class DebugLoop::Round {
 public:
  // `remaining`: an estimate of the rounds to come, this one included, for the log.
  explicit Round(DebugLoop& loop, std::optional<int64_t> remaining = {});
  ~Round();
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;

  int64_t index() const { return loop_.summary_.rounds; }
  // The entry of a loaded replay for this round; null: it has none.
  const ReplayEntry* replayed() const { return replayed_; }
  // The artifact is going to be made. `state`: values that the replay keeps, "num_nodes". Throws
  // IoError.
  void begin(OrderedMap<int64_t> state);
  // The artifact is ready for the check. Throws IoError.
  void made();
  // The verdict, of a replayed round, too. `checked`: by a check, that was given the artifact and
  // may have left others.
  // Throws IoError.
  void end(const CheckResult& verdict, bool checked = true);

 private:
  void record(const CheckResult& verdict, bool checked);

  DebugLoop& loop_;
  const Logger::Indent indent_;
  const double started_;
  const std::string key_;  // in replays
  const ReplayEntry* replayed_ = nullptr;
  ReplayEntry entry_;
  bool leaves_files_ = false;
  bool made_ = false;   // the artifact, and …
  bool moved_ = false;  // … moved, among the others
};

}  // namespace polygraphy
