// Rounds of one check after another, with or without a new model each time: `debug repeat`, `debug
// build`, `debug precision`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/error.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/loop.h"
#include "polygraphy/diagnosis/search/upcoming.h"

namespace polygraphy {

// The replayed round belongs to another model than this round.
inline constexpr ErrorCode kForeignRound{"foreign-debug-round"};

// Throws Error (kForeignRound) unless the entry has these values.
void check_replayed(const ReplayEntry& entry, const OrderedMap<int64_t>& state);

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

// The most rounds of repeat().
inline constexpr int64_t kMostRounds = 100'000;

// Rounds of `loop` until there were enough of them, kMostRounds at most. `run` returns whether the
// round of this number, from 0, has passed. Throws what it throws.
LoopSummary repeat(const Until& until, DebugLoop& loop,
                   const std::function<bool(int64_t round)>& run, Logger& log);
// The numbers of the rounds that may follow a round.
Upcoming<int64_t> rounds_after(const Until& until, int64_t round);

}  // namespace polygraphy
