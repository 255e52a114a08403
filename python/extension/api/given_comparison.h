// Options of comparisons, as Python gives them.
#pragma once

#include "api/keywords.h"
#include "polygraphy/comparison/compare/run_and_compare.h"

namespace native {

// `keywords` has `metrics`, `metric_options`, `check_shapes`, `fail_fast`, `check_average`,
// `validate` and `postprocess`. Throws Error for names that mean nothing; PythonError.
polygraphy::CompareOptions compare_options(const Keywords& keywords);

}  // namespace native
