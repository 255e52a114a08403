#include "base/text_table.h"

#include <algorithm>

#include "base/text.h"

namespace polygraphy {

std::vector<std::string> table_lines(const std::vector<std::vector<std::string>>& rows,
                                     size_t right_from) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], code_points(row[i]));
  }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string& line = lines.emplace_back();
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string gap(widths[i] - code_points(row[i]), ' ');
      if (i > 0) line += "  ";
      if (i >= right_from) line += gap;
      line += row[i];
      if (i < right_from && i + 1 < row.size()) line += gap;
    }
  }
  return lines;
}

}  // namespace polygraphy
