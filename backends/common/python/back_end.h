// Declares the table and the program of a back end in Python, which pg_python_back_end() of CMake
// generates.
#pragma once

#include "common/python/process.h"
#include "polygraphy/backend.h"

namespace pgb::python {

extern const pgb_backend_options& kOptions;
extern const Program kProgram;

}  // namespace pgb::python
