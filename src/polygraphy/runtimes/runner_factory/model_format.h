// The format of a model by its path (pgb_model_format.name).
#pragma once

#include <span>
#include <string_view>

#include "polygraphy/backend.h"

namespace polygraphy {

// The format of the first of the back ends that knows the name, other than ONNX; empty: unknown.
std::string_view format_by_name(std::string_view path,
                                std::span<const pgb_backend_options* const> backends);

// The format by the usual extension of a file, or by the contents of a folder; FILE.py:FUNCTION is
// a script of TensorRT. Empty: unknown.
std::string_view usual_format(std::string_view path);

// Whether it is the path of a Python file, or FILE.py:FUNCTION.
bool names_python_script(std::string_view path);

}  // namespace polygraphy
