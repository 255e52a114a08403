// A monotonic clock.
#pragma once

#include <chrono>

namespace polygraphy {

// Seconds since an arbitrary point in the past; only differences are meaningful.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace polygraphy
