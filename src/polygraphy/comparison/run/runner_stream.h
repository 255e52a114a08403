// Running several runners side by side, one iteration at a time: the default order since 0.53.
#pragma once

#include <memory>

#include "base/log.h"
#include "polygraphy/comparison/run/result_stream.h"
#include "polygraphy/comparison/run/run_options.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/runtimes/backend/runners.h"

namespace polygraphy {

// Activates all runners at the first next(), and deactivates them after the last iteration or an
// error. Saves feeds and results as they come, also those of a stream that ends early. `feeds` and
// `log` must outlive the stream; the runners are shared with it.
std::unique_ptr<ResultStream> running_results(Runners runners, FeedSource& feeds,
                                              const RunOptions& options, Logger& log);

}  // namespace polygraphy
