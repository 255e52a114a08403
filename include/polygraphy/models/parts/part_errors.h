// Errors of jobs that run a model in parts, because its weights do not fit a memory limit.
#pragma once

#include "base/error.h"

namespace polygraphy {

// A value between parts is not a tensor.
inline constexpr ErrorCode kNotCut{"not-cut"};
// The job needs the whole model.
inline constexpr ErrorCode kNeedsWholeModel{"needs-whole-model"};

}  // namespace polygraphy
