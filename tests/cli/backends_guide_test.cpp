// The table of docs/backends.md against the tables of the back ends.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "polygraphy/runtimes/backend/backend_catalog.h"

namespace polygraphy::cli {
namespace {

std::string in_backticks(std::string_view words) {
  std::string text;
  for (const auto word : split(words, ' ')) {
    text += (text.empty() ? "`" : ", `") + std::string(word) + "`";
  }
  return text;
}

// The cells that the code knows: "| onnxrt | `--onnxrt` | onnx | `--onnxrt-lib`, `…` |".
std::string row_of(const pgb_backend_options& backend) {
  const std::string chosen =
      in_backticks(std::string(backend.library_option) + ' ' + backend.library_env);
  return "| " + std::string(backend.name) + " | " + in_backticks(backend.flags) + " | " +
         formats_text(backend) + " | " + chosen + " |";
}

TEST(BackendsGuide, HasARowForEachBackEndAndNoOther) {
  std::ifstream file(PG_SOURCE_DIR "/docs/backends.md");
  std::vector<std::string> rows;
  bool in_table = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| back end |")) in_table = true;
    if (line.empty()) in_table = false;
    if (in_table && !line.starts_with("|---") && !line.starts_with("| back end |"))
      rows.push_back(line);
  }
  const auto tables = backend_option_tables();
  ASSERT_EQ(rows.size(), tables.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string expected = row_of(*tables[i]);
    EXPECT_EQ(rows[i].substr(0, expected.size()), expected);
    const auto cells = split(rows[i], '|');
    ASSERT_EQ(cells.size(), 8u) << rows[i];  // with the ends
    EXPECT_NE(cells[5].find("pip install"), std::string_view::npos) << rows[i];
    EXPECT_GT(cells[6].size(), 3u) << rows[i];
    EXPECT_EQ(runs_in_python(*tables[i]),
              cells[5].find("the user's Python") != std::string_view::npos)
        << rows[i];
  }
}

}  // namespace
}  // namespace polygraphy::cli
