// Arrays as people write them in JSON by hand: nested lists of numbers, or one number. NumPy's
// np.array() of the same lists, and the inverse of its tolist().
#pragma once

#include "base/arrays/array.h"
#include "formats/json_reader.h"

namespace polygraphy {

// The value at the cursor. All true and false: bool; all whole numbers: int64; all numbers: float64
// (NaN and Infinity among them); all texts: strings. `[]` is float64 of shape (0,). Throws
// FormatError, at the element, for lists of different lengths beside each other, mixed kinds, whole
// numbers that 64 bits cannot hold, null and objects. O(text).
Array read_plain_array(JsonReader& json);

// A number written without a type, with the type of the input that it is for: whole numbers become
// any type, others any floating one. Else `array` as it is. Where values do not survive, too:
// fitting the feed says so.
Array with_type_of_input(const Array& array, DataType type);

}  // namespace polygraphy
