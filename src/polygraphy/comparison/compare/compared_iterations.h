// Which iterations were compared, and how many of them passed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/log.h"

namespace polygraphy {

// The reason of a verdict on the first iterations of results with different numbers of them.
std::string left_iterations(int64_t compared);
// Of `results`, those at the places in `ended` have only the iterations that were compared, others
// have more.
void warn_of_left_iterations(int64_t compared, size_t results, const std::vector<int64_t>& ended,
                             Logger& log);
// The rate of iterations that passed, of a pair of runners.
void log_pass_rate(const std::string& runner0, const std::string& runner1, int64_t passed,
                   int64_t total, Logger& log);

}  // namespace polygraphy
