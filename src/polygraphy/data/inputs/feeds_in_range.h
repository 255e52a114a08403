// Some of the feeds of a source.
#pragma once

#include <cstdint>
#include <memory>

#include "polygraphy/data/inputs/feed_source.h"

namespace polygraphy {

// The feeds `first` to `last`, both counted from 0. Those before are not generated; of files and
// scripts, they are read and dropped. Throws Error where the source has fewer.
std::unique_ptr<FeedSource> feeds_in_range(std::unique_ptr<FeedSource> source, int64_t first,
                                           int64_t last);

}  // namespace polygraphy
