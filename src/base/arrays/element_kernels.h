// The inner loops of convert(): runs of elements between real types. Internal to base.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/arrays/dtype.h"

namespace polygraphy {

// Bytes of one element with packed types unpacked.
inline int64_t unpacked_size(DataType type) {
  return std::max(bit_width(type), 8) / 8;
}

// Converts `count` elements, of packed types one per byte on both sides (the upper bits of these
// input bytes do not matter). Neither type is a string or complex; data is aligned to its elements.
void convert_elements(DataType from_type, const std::byte* from, int64_t count, DataType to_type,
                      std::byte* to);

// The same for one-byte sources, by a table of 256 results: faster from about a thousand elements
// on.
void convert_by_table(DataType from_type, const std::byte* from, int64_t count, DataType to_type,
                      std::byte* to);

}  // namespace polygraphy
