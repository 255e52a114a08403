// Casts by ml_dtypes and NumPy of float32 values to each element type, and of its codes to float32:
// cast_goldens.txt, written by make_cast_goldens.py.
#pragma once

#include <string_view>

namespace polygraphy::contract {

// One line per type: `to TYPE float32:code …` and `from TYPE code:float32 …`, in hexadecimal.
std::string_view cast_goldens();

}  // namespace polygraphy::contract
