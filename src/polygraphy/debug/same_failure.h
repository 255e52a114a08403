// Keeping to one failure: a smaller model that fails differently is not the answer to the question.
#pragma once

#include <memory>

#include "base/log.h"
#include "polygraphy/debug/check.h"

namespace polygraphy {

enum class OtherFailures {
  kWarn,  // they count, with a warning
  kPass,  // they do not: the round passes, and the warning says so
};

// Learns how `check` fails (Verdict::signature) the first time it does, and compares every later
// failure with that. Failures without a signature are never compared. `check` and `log` must
// outlive it.
std::unique_ptr<Check> same_failure(Check& check, OtherFailures others, Logger& log);

}  // namespace polygraphy
