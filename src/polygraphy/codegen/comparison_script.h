// Comparison functions in generated Python: calls of the original's classes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "polygraphy/codegen/run_script.h"
#include "polygraphy/compare/metric.h"
#include "polygraphy/compare/postprocess.h"

namespace polygraphy {

// The metric must have a python_class. Folders as they are in `options`.
RunScript::Comparison comparison_script(const Metric& metric, const MetricOptions& options);

// The dict that TopKPostprocessFunc takes, {'': 5, 'y': (3, 1)}, of post-processings by output as
// they are typed; empty for none. Throws Error for one that the original lacks.
std::string postprocess_script(
    const std::vector<std::pair<std::string, std::string>>& postprocesses);

}  // namespace polygraphy
