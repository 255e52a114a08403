// Rounds that constrain the precision of layers from one end of a network.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/debug_loop/loop.h"
#include "polygraphy/diagnosis/debug_loop/rounds.h"
#include "polygraphy/diagnosis/precision/find_precision.h"
#include "polygraphy/diagnosis/precision/layer_marker.h"
#include "polygraphy/runtimes/compiled/engine_job.h"
#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

// Throws Error (kNoLowerPrecision, kHigherPrecisionOff) unless the job's options allow both
// precisions; warns of unsuitable options.
void check_precisions(const PrecisionJob& job, Logger& log);

// True if a layer has a settable precision; constants and layers that compute shapes or integers
// have not.
bool takes_precision(const NetworkLayer& layer);

// As many layers as have to be marked; none: not even all of them make the check pass.
std::optional<int64_t> run_layer_rounds(const PrecisionJob& job, const NetworkDescription& network,
                                        DebugLoop& loop, Rounds& rounds, Logger& log);

}  // namespace polygraphy
