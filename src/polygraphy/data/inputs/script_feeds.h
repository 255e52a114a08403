// `--data-loader-script`: feeds from a function of the user's.
#pragma once

#include <memory>

#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy {

// Calls the function at once and reads its result (a generator, a list, a DataLoader, any iterable
// or indexable object) one feed at a time. Passes the runner's inputs before each feed if the
// object accepts them. If it returns None, generates feeds with `options`, as in the original.
// Throws Error, there and in next(), with the script's own traceback.
std::unique_ptr<FeedSource> script_feeds(std::shared_ptr<UserPython> python, ScriptSymbol symbol,
                                         DataLoaderOptions options, Logger& log);

}  // namespace polygraphy
