// The Python modules that run in the user's interpreter, as text: the files of program/, embedded
// by CMake.
#pragma once

#include <span>
#include <string_view>

namespace polygraphy {

struct PythonModule {
  std::string_view name;  // "polygraphy.comparator"
  std::string_view text;
};

std::string_view python_bridge();
// The modules that it can import besides the installed ones.
std::span<const PythonModule> python_modules();

}  // namespace polygraphy
