// Rounds that keep nodes of the ONNX model in float32, and convert the rest to float16.
#pragma once

#include "base/log.h"
#include "polygraphy/debug/check.h"
#include "polygraphy/debug/loop.h"
#include "polygraphy/precision/find_precision.h"

namespace polygraphy {

// find_precision() of kAuto.
PrecisionResult run_node_rounds(const PrecisionJob& job, DebugLoop& loop, Check& check,
                                Logger& log);

}  // namespace polygraphy
