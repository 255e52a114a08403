// `--data-loader-script`: feeds from a function of the user's.
#pragma once

#include <memory>

#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy {

// Calls the function at once; what it returns (a generator, a list, a DataLoader, anything that
// iterates or takes indices) is asked for one feed at a time, and told the inputs of the runner
// before each if it has use for them. When it returns nothing, feeds are generated with `options`,
// as in the original. Throws Error, there and in next(), with the script's own traceback.
std::unique_ptr<FeedSource> script_feeds(std::shared_ptr<UserPython> python, ScriptSymbol symbol,
                                         DataLoaderOptions options, Logger& log);

}  // namespace polygraphy
