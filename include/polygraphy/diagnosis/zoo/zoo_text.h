// Results of a zoo as text.
#pragma once

#include <span>
#include <string>

#include "polygraphy/diagnosis/zoo/zoo_result.h"

namespace polygraphy {

// A table of outcomes by engine, and the models that failed with their reasons and guilty nodes.
std::string to_text(const ZooResult& result);
// A line for each.
std::string to_text(std::span<const ZooChange> worse);

}  // namespace polygraphy
