// Chooses the next step to cut at: the orders in which `debug reduce` tries them.
#pragma once

#include <cstdint>
#include <vector>

#include "polygraphy/diagnosis/search/upcoming.h"

namespace polygraphy {

enum class MarkerOrder { kBisect, kLinear };

// Of the first phase, that cuts behind a step (small indices are small models), or of the second,
// that cuts before one (large indices are).
enum class ReducePhase { kOutputs, kInputs };

class MarkerSearch {
 public:
  MarkerSearch(MarkerOrder order, ReducePhase phase, int64_t steps);

  int64_t index() const { return index_; }
  // The verdict on the present index. False: there is nothing more to try.
  bool next(bool passed);
  // Indices that may come after the present one, where it and those after it pass, or fail, rather
  // than not.
  Upcoming<int64_t> upcoming(bool passes_rather) const;
  // The estimate that is shown.
  int64_t remaining() const { return estimate_ - tried_; }

 private:
  bool bisect(bool passed);
  std::vector<MarkerSearch> successors(bool passes_rather) const;

  MarkerOrder order_;
  ReducePhase phase_;
  int64_t steps_, index_, good_, bad_, estimate_, tried_ = 0;
};

}  // namespace polygraphy
