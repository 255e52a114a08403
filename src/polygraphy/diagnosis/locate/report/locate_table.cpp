#include "polygraphy/diagnosis/locate/report/locate_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/text.h"
#include "base/text_table.h"
#include "polygraphy/diagnosis/locate/report/locate_words.h"

namespace polygraphy {
namespace {

std::string bar(const std::optional<JudgedError>& judged) {
  if (!judged) return "-";
  if (!judged->error.incomparable.empty()) return "other shape";
  if (judged->error.non_finite_mismatches > 0)
    return fmt::format("{} non-finite", judged->error.non_finite_mismatches);
  const double relative = judged->error.relative();
  if (relative == 0) return "0";
  // One block for each power of ten from 1e-8 on.
  const int length =
      std::clamp(static_cast<int>(std::lround(std::log10(std::max(relative, 1e-8)) + 8)), 0, 10);
  std::string blocks;
  for (int i = 0; i < length; ++i) blocks += "▪";
  return fmt::format("{:<8} {}", short_number(relative), blocks);
}

std::string name_in_table(const NodeFinding& finding) {
  return one_line(finding.graph.empty() ? finding.node : finding.graph + "/" + finding.node);
}

// The length of the folders that all names begin with; 0: hardly any.
size_t common_folders(std::span<const NodeFinding> findings) {
  constexpr size_t kFewest = 8;
  const std::string first = findings.empty() ? "" : name_in_table(findings.front());
  size_t length = findings.size() < 2 ? 0 : first.size();
  for (const NodeFinding& finding : findings) {
    const std::string name = name_in_table(finding);
    const auto differing = std::mismatch(first.begin(), first.end(), name.begin(), name.end());
    length = std::min(length, static_cast<size_t>(differing.first - first.begin()));
  }
  const size_t slash = length == 0 ? std::string::npos : first.rfind('/', length - 1);
  return slash == std::string::npos || slash < kFewest ? 0 : slash;
}

}  // namespace

std::string locate_table(const LocateResult& result, size_t rows) {
  const std::span<const NodeFinding> shown_nodes(result.nodes.data(),
                                                 std::min(rows, result.nodes.size()));
  const size_t folders = common_folders(shown_nodes);
  std::vector<std::vector<std::string>> lines = {
      {"", "Verdict", "Node", "Operator", "Alone", "In place", "Noise", "x noise"}};
  for (size_t i = 0; i < shown_nodes.size(); ++i) {
    const NodeFinding& finding = shown_nodes[i];
    const auto& shown = finding.isolated ? finding.isolated : finding.accumulated;
    const bool has_noise = shown && shown->error.reference_norm > 0;
    lines.push_back(
        {std::to_string(i + 1), std::string(name_of(finding.verdict)),
         (folders > 0 ? "…" : "") + name_in_table(finding).substr(folders), finding.op,
         bar(finding.isolated), bar(finding.accumulated),
         has_noise ? short_number(shown->noise_norm / shown->error.reference_norm) : "-",
         shown ? short_number(shown->ratio) : "-"});
  }
  for (auto& line : lines) {
    while (line.back().empty()) line.pop_back();
  }
  const std::vector<std::string> table = table_lines(lines);
  return join(std::span<const std::string>(table), "\n");
}

}  // namespace polygraphy
