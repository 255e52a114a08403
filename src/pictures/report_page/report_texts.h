// The files of page/, embedded by CMake.
#pragma once

#include <string_view>

namespace polygraphy {

std::string_view report_script();
std::string_view report_copy_script();
std::string_view report_style();
std::string_view graph_parts_script();
std::string_view graph_tones_script();
std::string_view graph_modules_script();
std::string_view drawing_script();
std::string_view weights_script();
std::string_view extract_script();
std::string_view graphs_script();
std::string_view graphs_style();

}  // namespace polygraphy
