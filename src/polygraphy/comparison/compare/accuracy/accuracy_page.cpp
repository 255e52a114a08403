#include "polygraphy/comparison/compare/accuracy/accuracy_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/text.h"
#include "polygraphy/comparison/compare/metric.h"
#include "polygraphy/comparison/verdict/runner_names.h"
#include "polygraphy/comparison/verdict/verdict_page.h"

namespace polygraphy {
namespace {

std::string label_of(const AccuracyResult& comparison, const JudgedPair& pair) {
  const Metric* metric = comparison.metric();
  return fmt::format("{}{} vs. {}", metric ? std::string(metric->label) + ": " : "",
                     without_time(pair.runner0), without_time(pair.runner1));
}

ReportTable table_of(const AccuracyResult& comparison, const JudgedPair& pair) {
  ReportTable table{
      .title = label_of(comparison, pair),
      .columns = {{"Verdict", false, {}}, {"Output", false, {}}, {"Iteration", true, {}}},
      .rows = {},
      .cases = ReportTable::Cases{.name = {"Output", "Iteration"}, .outcome = "Verdict"}};
  const Metric* metric = comparison.metric();
  size_t figures = 0, limits = 0;
  if (metric) {
    for (const std::string_view name : figure_names(*metric)) {
      table.columns.push_back({std::string(name), true, {}});
      ++figures;
    }
    for (const std::string_view name : split(metric->limits, ' ')) {
      table.columns.push_back({"limit " + std::string(name), true, {}});
      ++limits;
    }
  }
  double iteration = 0;
  for (const JudgedIteration& outputs : pair.iterations) {
    for (const auto& [name, result] : outputs) {
      ReportTable::Row row{
          .cells = {std::string(result.passed ? "PASSED" : "FAILED"), name, iteration},
          .mark = result.passed ? ReportMark::kNone : ReportMark::kBad};
      row.cells.resize(table.columns.size());
      for (size_t i = 0; i < std::min(figures, result.figures.size()); ++i) {
        if (result.figures[i]) row.cells[3 + i] = *result.figures[i];
      }
      for (size_t i = 0; i < std::min(limits, result.threshold.limits.size()); ++i)
        row.cells[3 + figures + i] = result.threshold.limits[i].value;
      table.rows.push_back(std::move(row));
    }
    ++iteration;
  }
  return table;
}

}  // namespace

std::vector<ReportSection> accuracy_sections(const AccuracyResults& results) {
  ReportVerdict verdict = report_verdict(results.verdict());
  std::vector<ReportSection> sections;
  for (const AccuracyResult& comparison : results.comparisons) {
    for (const JudgedPair& pair : comparison.pairs) {
      verdict.lines.push_back(fmt::format(
          "{}: {} of {} iteration(s) passed{}", label_of(comparison, pair), pair.matched(),
          pair.iterations.size(), comparison.average ? "; the verdict is on the means" : ""));
      sections.emplace_back(table_of(comparison, pair));
    }
  }
  sections.insert(sections.begin(), std::move(verdict));
  return sections;
}

}  // namespace polygraphy
