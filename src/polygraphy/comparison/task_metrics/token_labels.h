// The tokens of inputs as labels: what follows each position of a language model.
#pragma once

#include <vector>

#include "polygraphy/comparison/task_metrics/labels.h"
#include "polygraphy/data/tensors/value.h"

namespace polygraphy {

// No input has token ids, or several may.
inline constexpr ErrorCode kNoTokens{"no-tokens"};

// The rows of the next tokens of a feed: those of the input "input_ids", else of the only input
// with integers of two dimensions. The last position has none (-100), nor have those that the input
// "attention_mask" leaves out. Throws Error.
std::vector<Label> next_tokens(const ValueMap& feed);

}  // namespace polygraphy
