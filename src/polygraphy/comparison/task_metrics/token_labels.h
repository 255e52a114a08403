// The tokens of inputs as labels: what follows each position of a language model.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "polygraphy/comparison/task_metrics/labels.h"
#include "polygraphy/data/inputs/feed_source.h"

namespace polygraphy {

// No input has token ids, or several may.
inline constexpr ErrorCode kNoTokens{"no-tokens"};

// The rows of the next tokens of a feed: those of the input "input_ids", else of the only input
// with integers of two dimensions. The last position has none (-100), nor have those that the input
// "attention_mask" leaves out. Throws Error.
std::vector<Label> next_tokens(const ValueMap& feed);

// Feeds whose next tokens are put into `seen`, which outlives them.
std::unique_ptr<FeedSource> feeds_with_next_tokens(std::unique_ptr<FeedSource> feeds,
                                                   std::deque<std::vector<Label>>& seen);

}  // namespace polygraphy
