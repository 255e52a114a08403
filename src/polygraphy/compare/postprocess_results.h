// Applying functions to outputs, as results go by or in memory (spec C.17).
#pragma once

#include <memory>

#include "base/log.h"
#include "polygraphy/compare/metric.h"
#include "polygraphy/compare/postprocess.h"
#include "polygraphy/compare/result_stream.h"
#include "polygraphy/data/results.h"

namespace polygraphy {

// Per output; "" is for all others. Outputs without a function stay.
using OutputFunctions = PerOutput<std::shared_ptr<const OutputFunction>>;

// `functions` and the logger must stay alive.
std::unique_ptr<ResultStream> postprocessed(std::unique_ptr<ResultStream> stream,
                                            const OutputFunctions& functions, Logger& log);
void postprocess_run(RunResults& run, const OutputFunctions& functions, Logger& log);

}  // namespace polygraphy
