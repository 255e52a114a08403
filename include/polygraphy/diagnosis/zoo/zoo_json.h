// Results of a zoo as JSON.
#pragma once

#include <string>
#include <string_view>

#include "polygraphy/diagnosis/zoo/zoo_result.h"

namespace polygraphy {

// Equal results give equal bytes: ZooCost is not in them.
std::string to_json(const ZooResult& result);
// `source` names the text in messages. Throws FormatError.
ZooResult parse_zoo_json(std::string_view json, std::string source);

}  // namespace polygraphy
