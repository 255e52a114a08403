// A monotonic clock.
#pragma once

#include <chrono>

namespace polygraphy {

// Seconds since some point in the past; differences are what counts.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace polygraphy
