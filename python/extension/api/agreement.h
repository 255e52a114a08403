// A function of Python as a comparison of results.
#pragma once

#include <memory>

#include "api/job.h"
#include "polygraphy/comparison/compare/result_function.h"
#include "python_api.h"

namespace native {

// The function gets an output's name, the reference's values and the observed ones, and returns
// whether they are close enough. The job and the function outlive the comparison.
std::shared_ptr<polygraphy::ResultComparison> agreement(Job& job, PyObject* function);

}  // namespace native
