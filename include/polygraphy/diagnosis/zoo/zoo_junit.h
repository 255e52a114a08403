// Results of a zoo as JUnit's XML.
#pragma once

#include <string>

#include "polygraphy/diagnosis/zoo/zoo_result.h"

namespace polygraphy {

// A suite per engine, a case per model.
std::string to_junit(const ZooResult& result);

}  // namespace polygraphy
