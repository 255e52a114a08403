// The module paths under which the original logs what this library logs: `--verbosity path:level`
// and `line-info` refer to them (spec S8.2).
#pragma once

#include <string_view>

namespace polygraphy::data_modules {

inline constexpr std::string_view kDataLoader = "comparator/data_loader.py";
inline constexpr std::string_view kMerge = "tools/data/subtool/merge.py";
inline constexpr std::string_view kConcat = "tools/data/subtool/concat.py";
inline constexpr std::string_view kSerde = "json/serde.py";
inline constexpr std::string_view kUtil = "util/util.py";

}  // namespace polygraphy::data_modules
