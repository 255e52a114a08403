// The module paths under which the original logs what this library logs (spec S8.2).
#pragma once

#include <string_view>

namespace polygraphy::log_modules {

inline constexpr std::string_view kLint = "tools/check/subtool/lint.py";

}  // namespace polygraphy::log_modules
