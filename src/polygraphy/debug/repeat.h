// Checking the same thing again and again: `debug repeat`.
#pragma once

#include <cstdint>

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
LoopSummary repeat(const Until& until, DebugLoop& loop, Check& check, Logger& log);

}  // namespace polygraphy
