// Times and memory of a zoo as JSON, apart from its results: those do not differ from run to run.
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/diagnosis/zoo/zoo_result.h"

namespace polygraphy {

std::string times_json(const ZooResult& result);
// Adds those of the same models, in the same order; others are left out. `source` names the text in
// messages. Throws FormatError.
void add_times(std::string_view json, std::string source, ZooResult& result);

}  // namespace polygraphy
