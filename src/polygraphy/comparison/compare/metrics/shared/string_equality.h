// Comparing outputs of strings, which the original cannot: by equality.
#pragma once

#include <optional>

#include "base/arrays/array.h"
#include "base/log.h"
#include "polygraphy/comparison/compare/metric.h"

namespace polygraphy {

// Of the pair's arrays in one shape: whether all strings are equal; logs how many differ and the
// first that does. False, with an error in the log, where only one of them holds strings. nullopt:
// their elements have differences.
std::optional<bool> compare_strings(const OutputPair& pair, const Array& a, const Array& b,
                                    Logger& log);

}  // namespace polygraphy
