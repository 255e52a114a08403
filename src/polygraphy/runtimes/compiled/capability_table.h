// Parts of tables about capabilities.
#pragma once

#include <string>

namespace polygraphy {

// As wide as `width`, or wider.
std::string left_justified(std::string text, size_t width);

// The title, and the names of columns, underlined.
std::string summary_header(const std::string& columns);

}  // namespace polygraphy
