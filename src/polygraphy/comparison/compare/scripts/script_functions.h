// Comparing and post-processing with functions of the user's.
#pragma once

#include <memory>

#include "polygraphy/comparison/compare/result_function.h"
#include "polygraphy/data/user_python/user_python.h"

namespace polygraphy {

// Both load the script at once, and make an object where the symbol is a class. Throw Error.
std::shared_ptr<ResultComparison> script_comparison(std::shared_ptr<UserPython> python,
                                                    ScriptSymbol symbol);
std::shared_ptr<ResultEdit> script_postprocess(std::shared_ptr<UserPython> python,
                                               ScriptSymbol symbol);

}  // namespace polygraphy
