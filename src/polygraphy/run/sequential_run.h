// Running one runner after the other, each over all iterations: `--sequential-runners`, the order
// of 0.49.
#pragma once

#include <memory>
#include <span>

#include "polygraphy/backend/runner.h"
#include "polygraphy/inputs/feed_source.h"
#include "polygraphy/results/results.h"
#include "polygraphy/run/run_options.h"

namespace polygraphy {

// Feeds and results of all iterations are held in memory; both are saved at the end where that was
// asked for.
RunResults run_sequentially(std::span<const std::unique_ptr<Runner>> runners, FeedSource& feeds,
                            const RunOptions& options, Logger& log);

}  // namespace polygraphy
