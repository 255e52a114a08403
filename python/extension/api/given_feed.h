// Feeds of Python calls: errors for what the library would take with a warning only.
#pragma once

#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/data/tensors/value.h"

namespace native {

// Throws Error where values would change in the integer type of their input: fractions, and numbers
// out of range. O(1) for arrays of the expected type.
void check_feed_values(const polygraphy::ValueMap& feed, const polygraphy::Metadata& inputs);

}  // namespace native
