// The module paths under which the original logs what this library logs (spec S8.2).
#pragma once

#include <string_view>

namespace polygraphy::log_modules {

inline constexpr std::string_view kReduce = "tools/debug/subtool/reduce.py";

}  // namespace polygraphy::log_modules
