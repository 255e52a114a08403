// The files of page/, embedded by CMake.
#pragma once

#include <string_view>

namespace polygraphy {

std::string_view report_script();
std::string_view report_copy_script();
std::string_view report_style();

}  // namespace polygraphy
