// A pause that Ctrl-C ends.
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/cancel.h"

namespace polygraphy {

// Throws Interrupted within a tenth of a second after `cancel` is cancelled.
inline void pause(double seconds, const CancelToken& cancel) {
  constexpr double kPart = 0.1;
  for (double left = seconds; left > 0; left -= kPart) {
    cancel.check();
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, kPart)));
  }
  cancel.check();
}

}  // namespace polygraphy
