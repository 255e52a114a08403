// When the phases of long work began and how long they took.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"

namespace polygraphy {

struct PhaseTime {
  std::string phase;
  double begin = 0;  // in seconds, from the construction of PhaseTimes on
  double seconds = 0;
};

// While this lives, it follows the work on this thread.
class PhaseTimes {
 public:
  // `clock` gives seconds. Of millions of phases the first are kept.
  explicit PhaseTimes(double (*clock)());

  // Those that have ended, and those under way up to now; an outer phase before its inner ones.
  std::vector<PhaseTime> times() const;
  double seconds() const { return clock_() - began_; }

 private:
  void update(std::span<const Progress> phases);

  double (*clock_)();
  double began_;
  std::vector<PhaseTime> times_;
  std::vector<size_t> under_way_;  // indices in times_; the outermost first
  ProgressWatch watch_;
};

}  // namespace polygraphy
