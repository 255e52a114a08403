// Feeds from which a task metric takes the right results.
#pragma once

#include <memory>

#include "polygraphy/comparison/task_metrics/task_metric_comparison.h"
#include "polygraphy/data/inputs/feed_source.h"

namespace polygraphy {

// Feeds that the comparison sees, which outlives them.
std::unique_ptr<FeedSource> watched_feeds(std::unique_ptr<FeedSource> feeds,
                                          TaskMetricComparison& comparison);

}  // namespace polygraphy
