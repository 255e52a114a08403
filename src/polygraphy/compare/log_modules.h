// The module paths under which the original logs what this library logs: `--verbosity path:level`
// and `line-info` refer to them (spec S8.2).
#pragma once

#include <string>
#include <string_view>

namespace polygraphy::log_modules {

inline constexpr std::string_view kComparator = "comparator/comparator.py";
inline constexpr std::string_view kCompare = "comparator/compare.py";
inline constexpr std::string_view kStatistics = "comparator/util.py";
inline constexpr std::string_view kDataLoader = "comparator/data_loader.py";
inline constexpr std::string_view kCheckAccuracy = "tools/check/subtool/accuracy.py";
inline constexpr std::string_view kInferenceOptions = "tools/args/comparator/comparator.py";
inline constexpr std::string_view kUtil = "util/util.py";

}  // namespace polygraphy::log_modules

namespace polygraphy {

// A runner's name as it starts a line: padded with spaces to 35 characters.
std::string padded(std::string_view runner_name);

}  // namespace polygraphy
