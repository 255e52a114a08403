// Running several runners side by side, one iteration at a time: the default order since 0.53.
#pragma once

#include <memory>
#include <span>

#include "polygraphy/backend/runner.h"
#include "polygraphy/inputs/feed_source.h"
#include "polygraphy/run/result_stream.h"
#include "polygraphy/run/run_options.h"

namespace polygraphy {

// All runners are activated at the first next(), and deactivated after the last iteration or an
// error. Saves feeds and results as they come; what has been run when the stream ends early is
// saved as well. Everything must stay alive.
std::unique_ptr<ResultStream> running_results(std::span<const std::unique_ptr<Runner>> runners,
                                              FeedSource& feeds, const RunOptions& options,
                                              Logger& log);

}  // namespace polygraphy
