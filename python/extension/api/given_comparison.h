// Options of comparisons, as Python gives them.
#pragma once

#include <vector>

#include "api/keywords.h"
#include "polygraphy/comparison/compare/run_and_compare.h"

namespace native {

struct GivenMetrics {
  std::vector<const polygraphy::Metric*> metrics = {};
  polygraphy::MetricOptions options = {};
};

// Of `metrics`, a list of names with arguments ("tokens:margin=0.5"), and `metric_options`. Throws
// Error for names that mean nothing; PythonError.
GivenMetrics given_metrics(const Keywords& keywords);

// The same with `check_shapes`, `fail_fast`, `check_average`, `validate` and `postprocess`.
polygraphy::CompareOptions compare_options(const Keywords& keywords);

}  // namespace native
