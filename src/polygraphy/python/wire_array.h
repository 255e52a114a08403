// Arrays on their way to Python and back: NumPy's types, and how the others travel.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "base/arrays/array.h"

namespace polygraphy {

// The array that is sent, and the name of its type when its elements are bits of a type that NumPy
// lacks; `known` are the names that the other side can make something of. What it cannot comes as
// float32, or as integers of a byte each. Throws Error when there is no way.
std::pair<Array, std::string> to_wire(const Array& array, const std::set<std::string>& known);

// The inverse. Throws FormatError for names that there are not.
Array from_wire(const Array& array, const std::string& type);

}  // namespace polygraphy
