// Rounds that constrain the precision of layers from one end of a network.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/log.h"
#include "polygraphy/diagnosis/debug_loop/check.h"
#include "polygraphy/diagnosis/debug_loop/loop.h"
#include "polygraphy/diagnosis/precision/find_precision.h"
#include "polygraphy/diagnosis/precision/layer_marker.h"
#include "polygraphy/runtimes/compiled/engine_job.h"
#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

// Throws Error (kNoLowerPrecision, kHigherPrecisionOff) unless the job's options allow what is
// looked for; warns where they hardly do.
void check_precisions(const PrecisionJob& job, Logger& log);

// Whether a layer can be told in which precision to compute: constants and what computes shapes or
// integers cannot.
bool takes_precision(const NetworkLayer& layer);

// As many layers as have to be marked; none: not even all of them make the check pass.
std::optional<int64_t> run_layer_rounds(const PrecisionJob& job, const NetworkDescription& network,
                                        DebugLoop& loop, Check& check, Logger& log);

}  // namespace polygraphy
