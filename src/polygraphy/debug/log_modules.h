// The module paths under which the original logs what this library logs (spec S8.2).
#pragma once

#include <string_view>

namespace polygraphy::log_modules {

inline constexpr std::string_view kIterativeDebug = "tools/debug/subtool/iterative_debug_args.py";
inline constexpr std::string_view kReduce = "tools/debug/subtool/reduce.py";
inline constexpr std::string_view kReplayFiles = "util/util.py";

}  // namespace polygraphy::log_modules
