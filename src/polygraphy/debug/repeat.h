// Checking the same thing again and again, made anew each time or not: `debug repeat`, `debug
// build`.
#pragma once

#include <cstdint>
#include <functional>

#include "polygraphy/debug/check.h"
#include "polygraphy/debug/loop.h"

namespace polygraphy {

struct Until {
  enum class Kind { kCount, kGood, kBad };
  Kind kind = Kind::kCount;
  int64_t count = 0;  // of rounds; fewer than 1 are 1
};

// Rounds of `loop` until there were enough of them, 100,000 at most. The verdicts of replayed
// rounds count without a check. Throws what the check throws; the replay then holds the rounds
// before.
//
// `make`: writes DebugLoop::artifact() before each check, or returns false: the round has failed
// without a check then. Empty: there is nothing to make.
LoopSummary repeat(const Until& until, DebugLoop& loop, Check& check, Logger& log,
                   const std::function<bool()>& make = {});

}  // namespace polygraphy
