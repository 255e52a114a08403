// How long a call of a runtime may take, and how much memory: for models that run although the user
// did not ask for it, such as those that compute constants.
#pragma once

#include <cstdint>

#include "base/error.h"

namespace polygraphy {

// Of one load or one inference; 0: no limit. The runtime stops a call that exceeds them, within 20
// ms or as soon as it can, and the call throws LimitExceeded.
struct CallLimits {
  double seconds = 0;
  uint64_t bytes = 0;  // resident memory of this process beyond that at the start of the call

  bool any() const { return seconds > 0 || bytes > 0; }
};

class LimitExceeded : public Error {
 public:
  using Error::Error;
};

}  // namespace polygraphy
