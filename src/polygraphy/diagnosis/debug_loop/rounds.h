// Rounds of a debugging loop with a new file each, one after the other or several side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "base/ordered_map.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/loop.h"
#include "polygraphy/diagnosis/search/upcoming.h"

namespace polygraphy {

// The files that a round writes, in their final places or in those of a slot.
class RoundFiles {
 public:
  // `slot`: -1: the final places.
  explicit RoundFiles(std::vector<std::string> paths, int slot = -1)
      : paths_(std::move(paths)), slot_(slot) {}

  std::string path(const std::string& final_place) const;
  // Files that are missing stay so. Throws IoError.
  void move_into_place() const;
  void remove() const;
  // The first that is there already; empty: none.
  std::string in_the_way() const;

 private:
  std::vector<std::string> paths_;
  int slot_;
};

// A file of a round that runs beside others is there already.
inline constexpr ErrorCode kRoundFileInTheWay{"round-file-in-the-way"};

// The work of one round: files to make, and to check.
struct RoundWork {
  std::string key;  // different works of a loop have different ones
  // Writes the files. False: the round has failed without a check. May run in another thread, of
  // which `log` and `cancel` are.
  std::function<bool(const RoundFiles& files, Logger& log, CancelToken cancel)> make;
};

struct RoundOptions {
  MakeCheck check = {};
  int at_a_time = 1;
  std::vector<std::string> files = {};  // that a work writes, the loop's artifact among them
  CancelToken cancel = {};
};

// Replay, artifacts and log do not depend on how many rounds run at a time.
class Rounds {
 public:
  // `loop` and `log` outlive it. Throws what making the check throws, Error (kRoundFileInTheWay).
  Rounds(DebugLoop& loop, RoundOptions options, Logger& log);
  ~Rounds();  // stops what is running; its files go

  // Whether the next round of the loop passed, with this work. Those of `next` are made and checked
  // meanwhile; their outcomes count once they are run. `remaining`, `state`: of DebugLoop::Round.
  // Throws what the work and the check throw, Interrupted; Error: kForeignRound.
  bool run(const RoundWork& work, const Upcoming<RoundWork>& next = {},
           std::optional<int64_t> remaining = {}, const OrderedMap<int64_t>& state = {});
  // False: the last round failed because its files could not be made.
  bool made() const { return made_; }
  // Ends what runs for later rounds.
  void stop();

 private:
  class SideBySide;

  DebugLoop& loop_;
  RoundOptions options_;
  Logger& log_;
  std::unique_ptr<Check> check_;  // null: side by side
  std::unique_ptr<SideBySide> side_by_side_;
  bool made_ = true;
};

}  // namespace polygraphy
