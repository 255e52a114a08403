// Attributes of layers as text.
#pragma once

#include <string>

#include "polygraphy/runtimes/compiled/network.h"

namespace polygraphy {

// As Python prints the value: "ElementWiseOperation.SUM", "(3, 3)", "True". Weights without their
// values: their type and number.
std::string attribute_text(const LayerAttribute& attribute);

}  // namespace polygraphy
