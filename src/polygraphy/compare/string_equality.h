// Comparing outputs of strings, which the original cannot: by equality.
#pragma once

#include <string>

#include "base/arrays/array.h"
#include "base/log.h"

namespace polygraphy {

// Both hold strings, as many. Logs how many differ and the first that does; true when none does.
bool compare_strings(const Array& a, const Array& b, const std::string& name, Logger& log);

}  // namespace polygraphy
