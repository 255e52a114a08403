// The inputs that a benchmark runs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/error.h"
#include "polygraphy/comparison/benchmark/benchmark.h"
#include "polygraphy/data/inputs/data_loader.h"
#include "polygraphy/data/inputs/feed_source.h"

namespace polygraphy {

// The model leaves no dimension open for batch sizes.
inline constexpr ErrorCode kBatchFixed{"batch-fixed"};
// Files or a script give no inputs.
inline constexpr ErrorCode kNoFirstFeed{"no-first-feed"};

// Every set of shapes with every batch size. Entries of a set replace those of `options.shapes`;
// no set: only these. A batch size is the first dimension of each input where the model leaves it
// open (Error at the first feed if it does so nowhere); no sizes: as the shapes say. Other open
// dimensions are 1. Values are those of the first iteration.
std::vector<BenchmarkCase> generated_cases(const DataLoaderOptions& options,
                                           const std::vector<Metadata>& shapes,
                                           const std::vector<int64_t>& batches, Logger& log);

// The first feed of files or of a script. Throws Error (kNoFirstFeed) without a feed.
BenchmarkCase first_feed_case(std::shared_ptr<FeedSource> feeds);

}  // namespace polygraphy
