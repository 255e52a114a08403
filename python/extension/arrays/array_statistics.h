// Figures of arrays as Python objects.
#pragma once

#include <optional>
#include <vector>

#include "numerics/histogram.h"
#include "numerics/statistics.h"
#include "python_api.h"

namespace native {

// The fields of Statistics by name; `extra_quantiles` as a list.
PyRef statistics_object(const polygraphy::Statistics& statistics);
// (counts, edges), or None.
PyRef histogram_object(const std::optional<polygraphy::Histogram>& histogram);
// From a sequence of floats.
std::vector<double> quantiles_of(PyObject* sequence);

// statistics(array, quantiles), histogram(array, range) and pair_sums(array0, array1).
extern PyMethodDef array_functions[];

}  // namespace native
