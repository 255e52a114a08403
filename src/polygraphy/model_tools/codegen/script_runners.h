// Specs of runners in a script for the original.
#pragma once

#include <vector>

#include "polygraphy/model_tools/codegen/run_script.h"
#include "polygraphy/runtimes/runner_spec/runner_spec.h"

namespace polygraphy {

// Adds the runners to a script that has its model already; for TensorRT with a profile of the
// inputs' shapes, in which open dimensions are 1. Throws Error (kNotInOriginal): the original lacks
// the runner, or has it without something that the spec says. Options of TensorRT and TensorFlow
// are not written.
void add_runners(const std::vector<RunnerSpec>& specs, RunScript& script);

}  // namespace polygraphy
