// Running one runner after the other, each over all iterations: the order of 0.49.
#pragma once

#include "base/log.h"
#include "polygraphy/comparison/run/run_options.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/runtimes/backend/runners.h"

namespace polygraphy {

// Feeds and results of all iterations are held in memory; both are saved at the end, as the options
// say.
RunResults run_sequentially(const Runners& runners, FeedSource& feeds, const RunOptions& options,
                            Logger& log);

}  // namespace polygraphy
