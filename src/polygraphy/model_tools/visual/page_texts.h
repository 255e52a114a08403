// The files of page/, embedded by CMake.
#pragma once

#include <string_view>

namespace polygraphy {

std::string_view page_script();
std::string_view page_style();

}  // namespace polygraphy
