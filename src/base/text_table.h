// Aligned text tables.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace polygraphy {

// One line per row, columns two blanks apart and as wide as their widest text; rows may be of
// different lengths. From column `right_from` on, texts stand at the right of their column:
// numbers. No line ends in blanks that are not in its last text.
std::vector<std::string> table_lines(const std::vector<std::vector<std::string>>& rows,
                                     size_t right_from = static_cast<size_t>(-1));

}  // namespace polygraphy
