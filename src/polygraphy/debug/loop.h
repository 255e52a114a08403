// The loop that all `debug` commands share: make something, check it, remember the verdict. What is
// made and when it ends is the subject's business.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/log.h"
#include "base/ordered_map.h"
#include "polygraphy/debug/artifacts.h"
#include "polygraphy/debug/check.h"
#include "polygraphy/debug/replay.h"

namespace polygraphy {

struct LoopRound {
  int64_t index = 0;
  OrderedMap<int64_t> state;  // what the replay keeps of it: "num_nodes"
  Verdict verdict;
};

class LoopSubject {
 public:
  virtual ~LoopSubject() = default;
  // Makes what is to be checked, and fills `round.state`. A verdict, when it is known without a
  // check.
  virtual std::optional<Verdict> make(LoopRound& round) = 0;
  // Instead of make(), for a round whose verdict a replay knows. Throws Error when it cannot be a
  // round of this subject.
  virtual void replay(const LoopRound& round) { static_cast<void>(round); }
  // After the verdict: true goes on.
  virtual bool next(const LoopRound& round) = 0;
  // An estimate of the rounds that remain, the present one included.
  virtual std::optional<int64_t> remaining() const { return std::nullopt; }
};

struct LoopOptions {
  std::string artifact = {};  // the file that each round makes; empty: none
  bool artifact_elsewhere =
      false;                   // candidates are written to other files; this one is seldom there
  bool keep_artifact = false;  // --no-remove-intermediate
  std::string iter_info = {};  // a file that says which round it is, while it lasts
  ArtifactOptions artifacts = {};
  std::string load_replay = {}, save_replay = {};
};

struct LoopSummary {
  int64_t passed = 0, rounds = 0;
};

class DebugLoop {
 public:
  // Loads the replay. Throws Error: the artifact is there already, the replay cannot be read. What
  // is handed in must outlive the loop.
  DebugLoop(LoopOptions options, Check& check, Logger& log);

  // Rounds until the subject has enough, 100,000 at most. `suffix` tells phases of one session
  // apart: "_outputs". What a round makes is removed after it, however it ends. Throws what the
  // subject and the check throw; the replay then holds the rounds before.
  LoopSummary run(LoopSubject& subject, const std::string& suffix = {});

  // The same, one round at a time, for searches that are programs: begin(), round() as often as
  // needed, finish(). subject.next() is not asked.
  void begin(const std::string& suffix = {});
  LoopRound round(LoopSubject& subject);
  LoopSummary finish();

 private:
  void check(LoopSubject& subject, LoopRound& round);
  void clean_up(bool artifact_was_moved);

  LoopOptions options_;
  Check& check_;
  Logger& log_;
  DebugReplay loaded_, replay_;
  std::string suffix_;
  LoopSummary summary_;  // of the rounds since begin()
};

}  // namespace polygraphy
