// The module paths under which the original logs what these libraries log: `--verbosity path:level`
// and `line-info` refer to them.
#pragma once

#include <string_view>

namespace polygraphy::log_modules {

inline constexpr std::string_view kComparator = "comparator/comparator.py";
inline constexpr std::string_view kCompare = "comparator/compare.py";
inline constexpr std::string_view kStatistics = "comparator/util.py";
inline constexpr std::string_view kDataLoader = "comparator/data_loader.py";
inline constexpr std::string_view kCheckAccuracy = "tools/check/subtool/accuracy.py";
inline constexpr std::string_view kLint = "tools/check/subtool/lint.py";
inline constexpr std::string_view kInferenceOptions = "tools/args/comparator/comparator.py";
inline constexpr std::string_view kMerge = "tools/data/subtool/merge.py";
inline constexpr std::string_view kConcat = "tools/data/subtool/concat.py";
inline constexpr std::string_view kIterativeDebug = "tools/debug/subtool/iterative_debug_args.py";
inline constexpr std::string_view kReduce = "tools/debug/subtool/reduce.py";
inline constexpr std::string_view kSerde = "json/serde.py";
inline constexpr std::string_view kUtil = "util/util.py";

}  // namespace polygraphy::log_modules
