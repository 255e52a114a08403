// Comparison functions and post-processings in generated Python: calls of the original's classes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/compare/postprocess.h"
#include "polygraphy/model_tools/codegen/python_text.h"

namespace polygraphy {

struct ComparisonScript {
  std::string variable, name;  // "l2_compare_func", "L2CompareFunc"; no name: the default
  PythonCall call{""};
};

// Folders as they are in `options`. Throws Error for a metric that the original lacks
// (kNotInOriginal).
ComparisonScript comparison_script(const Metric& metric, const MetricOptions& options);

// Whether the original has this post-processing, "top-5". Throws Error for an unknown one.
bool has_postprocess_script(const std::string& postprocess);

// The dict that TopKPostprocessFunc takes, {'': 5, 'y': (3, 1)}, of post-processings by output as
// they are typed; empty for none. Throws Error for one that the original lacks (kNotInOriginal).
std::string postprocess_script(
    const std::vector<std::pair<std::string, std::string>>& postprocesses);

}  // namespace polygraphy
