// Results of runs, between the library and Python.
#pragma once

#include "polygraphy/data/results/results.h"
#include "python_api.h"

namespace native {

// (list of (name, array), seconds or None, name of the runner).
PyRef to_python(const polygraphy::IterationResult& result);
// Of such a tuple, with arrays as array_of() takes them.
polygraphy::IterationResult result_of(PyObject* tuple);

}  // namespace native
