// Applying functions to outputs, as results go by or in memory.
#pragma once

#include <memory>

#include "base/log.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/postprocess.h"
#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/comparison/run/result_stream.h"
#include "polygraphy/data/results/results.h"

namespace polygraphy {

// Per output; "" is for all others. Outputs without a function stay.
using OutputFunctions = PerOutput<std::shared_ptr<const OutputFunction>>;

// `functions` must stay alive.
std::shared_ptr<ResultEdit> edit_of(const OutputFunctions& functions);
// The post-processing of the options; null: no post-processing. The options must stay alive.
std::shared_ptr<ResultEdit> result_edit(const CompareOptions& options);

// Results of runners that have failed stay. The logger must stay alive.
std::unique_ptr<ResultStream> postprocessed(std::unique_ptr<ResultStream> stream,
                                            std::shared_ptr<ResultEdit> edit, Logger& log);
void postprocess_run(RunResults& run, ResultEdit& edit, Logger& log);

}  // namespace polygraphy
