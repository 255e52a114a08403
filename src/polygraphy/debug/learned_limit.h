// How long checks may take where nobody says so.
#pragma once

#include <atomic>

namespace polygraphy {

// As far as the first one that has ended tells: for all that check the same thing, each in its own
// thread.
struct LearnedLimit {
  std::atomic<double> seconds = 0;  // 0: none has ended yet
};

}  // namespace polygraphy
