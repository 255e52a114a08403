// Rounds that keep nodes of the ONNX model in float32, and convert the rest to float16.
#pragma once

#include "base/log.h"
#include "polygraphy/diagnosis/debug_loop/loop.h"
#include "polygraphy/diagnosis/debug_loop/rounds.h"
#include "polygraphy/diagnosis/precision/find_precision.h"

namespace polygraphy {

// find_precision() of kAuto.
PrecisionResult run_node_rounds(const PrecisionJob& job, DebugLoop& loop, Rounds& rounds,
                                Logger& log);

}  // namespace polygraphy
