// Rounds of one check after another, with or without a new model each time: `debug repeat`, `debug
// build`, `debug precision`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/error.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/loop.h"

namespace polygraphy {

// The replayed round belongs to another model than this round.
inline constexpr ErrorCode kForeignRound{"foreign-debug-round"};

// One round; whether it passed. A replayed one is not checked.
//
// `make`: writes DebugLoop::artifact() before the check, or returns false: the round has failed
// without a check then. Empty: there is nothing to make. `remaining`, `state`: for the log, and for
// the replay (DebugLoop::Round). Throws what `make` and the check throw; Error: kForeignRound.
bool run_round(DebugLoop& loop, Check& check, const std::function<bool()>& make = {},
               std::optional<int64_t> remaining = {}, const OrderedMap<int64_t>& state = {});

struct Until {
  enum class Kind { kCount, kGood, kBad };
  Kind kind = Kind::kCount;
  int64_t count = 0;  // of rounds; fewer than 1 are 1
};

// Rounds of `loop` until there were enough of them, 100,000 at most. The verdicts of replayed
// rounds count without a check. Throws what the check throws; the replay then holds the rounds
// before. `make`: of run_round().
LoopSummary repeat(const Until& until, DebugLoop& loop, Check& check, Logger& log,
                   const std::function<bool()>& make = {});

}  // namespace polygraphy
