// Arrays of types with fewer than 8 bits (int4, uint2, float4 …): their elements share bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/arrays/array.h"

namespace polygraphy {

// Element `index` of packed storage: low bits first, `bits` (1 to 7) per element, across byte ends.
uint8_t packed_element(const std::byte* data, int64_t index, int bits);

// Contiguous array with one byte per element for packed types (int4 -> int8, uint2 -> uint8, float4
// -> uint8 bits).
Array unpack(const Array& array);
// The inverse: low bits first. `type` must be a packed type of the same kind.
Array pack(const Array& array, DataType type);

}  // namespace polygraphy
