#include "polygraphy/diagnosis/consistency/consistency_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/arrays/py_repr.h"
#include "base/text.h"
#include "base/text_table.h"

namespace polygraphy {
namespace {

std::string number(double value) {
  if (std::isinf(value)) return "inf";
  return value == 0 ? "0" : fmt::format("{:.2g}", value);
}

std::string shortened(std::string text) {
  if (text.size() <= 40) return text;
  text.resize(37);
  return text += "...";
}

size_t count(const ConsistencyResult& result, ConsistencyVerdict verdict) {
  return static_cast<size_t>(
      std::count_if(result.rows.begin(), result.rows.end(),
                    [&](const ConsistencyRow& row) { return row.verdict == verdict; }));
}

// `some`: results of some checks agree.
std::string opening(Agreement agreement, bool some) {
  switch (agreement) {
    case Agreement::kAgrees:
      return "Consistent: ";
    case Agreement::kNotCompared:
      return "Nothing was compared: ";
    case Agreement::kFailed:
      return some ? "Not all could be compared: " : "Could not be compared: ";
    case Agreement::kDiffers:
    case Agreement::kTooCoarse:
    case Agreement::kNotFinite:
      break;
  }
  return "Not consistent: ";
}

}  // namespace

std::string consistency_place(const OutputDifference& worst) {
  if (!worst.incomparable.empty()) return fmt::format("{}: {}", worst.output, worst.incomparable);
  return fmt::format("{}{}: {} became {}", worst.output, py_list_repr(worst.index),
                     shortened(worst.expected), shortened(worst.observed));
}

std::vector<std::string> consistency_notes(const ConsistencyRow& row) {
  std::vector<std::string> notes;
  if (row.verdict == ConsistencyVerdict::kNotApplicable) return notes;
  if (!row.optimizers.empty()) {
    notes.push_back(fmt::format("agrees without {}", join(row.optimizers, ", ")));
  }
  if (row.worst && row.worst->beyond > 0) {
    notes.push_back(fmt::format("{} of {} elements of {} exceed the tolerance", row.worst->beyond,
                                row.worst->elements, row.worst->output));
  }
  notes.insert(notes.end(), row.notes.begin(), row.notes.end());
  return notes;
}

std::string consistency_table(const ConsistencyResult& result) {
  using Line = std::vector<std::string>;
  std::vector<Line> lines = {{"Check", "Comparison", "Verdict", "Abs", "Rel", "Details"}};
  for (const ConsistencyRow& row : result.rows) {
    Line line = {row.check, row.what, std::string(name_of(row.verdict)), "", "", ""};
    if (row.worst) {
      if (row.worst->incomparable.empty()) {
        line[3] = number(row.worst->largest_absolute);
        line[4] = number(row.worst->largest_relative);
      }
      line[5] = consistency_place(*row.worst);
    }
    if (row.verdict == ConsistencyVerdict::kNotApplicable) line[5] = join(row.notes, "; ");
    lines.push_back(std::move(line));
  }
  for (Line& line : lines) {
    while (line.back().empty()) line.pop_back();
  }
  const std::vector<std::string> table = table_lines(lines);
  const std::string margin(table.front().find(lines.front()[1]), ' ');
  std::string text = table.front() + "\n";
  for (size_t i = 0; i < result.rows.size(); ++i) {
    const ConsistencyRow& row = result.rows[i];
    if (i == 0 || row.engine != result.rows[i - 1].engine) text += row.engine + "\n";
    text += table[i + 1] + "\n";
    for (const std::string& note : consistency_notes(row)) text += margin + note + "\n";
  }
  text.pop_back();
  return text;
}

std::string consistency_summary(const ConsistencyResult& result) {
  const size_t failed = count(result, ConsistencyVerdict::kFailed);
  const size_t differ = count(result, ConsistencyVerdict::kDiffers);
  const size_t close = count(result, ConsistencyVerdict::kWithinTolerance);
  const size_t same = count(result, ConsistencyVerdict::kIdentical);
  const size_t left = count(result, ConsistencyVerdict::kNotApplicable);
  const Agreement agreement = result.verdict().agreement;
  const bool varies = std::ranges::any_of(result.rows, [](const ConsistencyRow& row) {
    return row.check == "repeat" && row.verdict == ConsistencyVerdict::kDiffers;
  });
  std::string text = varies ? "Not deterministic: " : opening(agreement, close + same > 0);
  std::vector<std::string> parts;
  if (differ > 0) parts.push_back(fmt::format("{} differ{}", differ, differ == 1 ? "s" : ""));
  if (failed > 0) parts.push_back(fmt::format("{} could not be run", failed));
  if (close > 0) parts.push_back(fmt::format("{} within tolerance", close));
  if (same > 0) parts.push_back(fmt::format("{} identical", same));
  if (left > 0) parts.push_back(fmt::format("{} not applicable", left));
  text += join(parts, ", ");
  std::set<std::string> skipped;
  for (const ConsistencyRow& row : result.rows)
    skipped.insert(row.skipped.begin(), row.skipped.end());
  if (!skipped.empty())
    text += fmt::format("; {} output{} not compared by rows", skipped.size(),
                        skipped.size() == 1 ? " was" : "s were");
  return text;
}

}  // namespace polygraphy
