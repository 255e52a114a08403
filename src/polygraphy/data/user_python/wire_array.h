// Arrays on their way to Python and back: NumPy's types, and how the others travel.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "base/arrays/array.h"

namespace polygraphy {

// The array that is sent, and the name of its type when its elements are bits of a type that NumPy
// lacks; `known` are the type names that the other side supports. Other such types are sent as
// float32, or as integers of a byte each. Throws Error for types that cannot be sent.
std::pair<Array, std::string> to_wire(const Array& array, const std::set<std::string>& known);

// The inverse. Throws FormatError for unknown names.
Array from_wire(const Array& array, const std::string& type);

}  // namespace polygraphy
