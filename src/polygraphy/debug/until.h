// Checking the same thing again and again: `debug repeat`.
#pragma once

#include <cstdint>

#include "polygraphy/debug/loop.h"

namespace polygraphy {

struct Until {
  enum class Kind { kCount, kGood, kBad };
  Kind kind = Kind::kCount;
  int64_t count = 0;  // of rounds; fewer than 1 are 1

  // Whether another round follows this one.
  bool goes_on(const LoopRound& round) const {
    switch (kind) {
      case Kind::kGood:
        return !round.verdict.passed;
      case Kind::kBad:
        return round.verdict.passed;
      case Kind::kCount:
        break;
    }
    return round.index + 1 < count;
  }
};

class Repetition : public LoopSubject {
 public:
  explicit Repetition(Until until) : until_(until) {}
  std::optional<Verdict> make(LoopRound&) override { return std::nullopt; }
  bool next(const LoopRound& round) override { return until_.goes_on(round); }

 private:
  Until until_;
};

}  // namespace polygraphy
