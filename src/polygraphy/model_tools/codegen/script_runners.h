// Runners and comparisons in a script for the original.
#pragma once

#include <vector>

#include "polygraphy/comparison/compare/run_and_compare.h"
#include "polygraphy/model_tools/codegen/run_script.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"

namespace polygraphy {

// Adds the runners to a script that has its model already; for TensorRT with a profile of the
// inputs' shapes, in which open dimensions are 1. Throws Error (kNotInOriginal): the original lacks
// the runner, or has it without something that the spec says. Options of TensorRT and TensorFlow
// are not written.
void add_runners(const std::vector<RunnerSpec>& specs, RunScript& script);

// Takes the order of runners, the metrics and the verdict from the options; not their files and
// scripts: a script has their paths as the user typed them. Throws Error for averages that these
// metrics lack (require_averages()), unless the script has a comparison function.
void set_comparison(const CompareOptions& options, RunScript& script);

}  // namespace polygraphy
