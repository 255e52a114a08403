#include "polygraphy/diagnosis/consistency/consistency_page.h"

#include <string>
#include <utility>

#include "base/text.h"
#include "polygraphy/comparison/verdict/runner_names.h"
#include "polygraphy/comparison/verdict/verdict_page.h"
#include "polygraphy/diagnosis/consistency/consistency_text.h"

namespace polygraphy {
namespace {

ReportMark mark_of(ConsistencyVerdict verdict) {
  switch (verdict) {
    case ConsistencyVerdict::kFailed:
      return ReportMark::kError;
    case ConsistencyVerdict::kDiffers:
      return ReportMark::kBad;
    case ConsistencyVerdict::kWithinTolerance:
      return ReportMark::kWarning;
    case ConsistencyVerdict::kIdentical:
      return ReportMark::kGood;
    case ConsistencyVerdict::kNotApplicable:
      break;
  }
  return ReportMark::kSkipped;
}

ReportTable::Row row_of(const ConsistencyRow& row) {
  const bool applies = row.verdict != ConsistencyVerdict::kNotApplicable;
  const std::vector<std::string> notes = applies ? consistency_notes(row) : row.notes;
  ReportTable::Row cells{.cells = {std::string(without_time(row.engine)), row.check, row.what,
                                   std::string(name_of(row.verdict)), ReportTable::Cell(),
                                   ReportTable::Cell(), std::string(), join(notes, "; ")},
                         .mark = mark_of(row.verdict)};
  if (row.worst) {
    if (row.worst->incomparable.empty()) {
      cells.cells[4] = row.worst->largest_absolute;
      cells.cells[5] = row.worst->largest_relative;
    }
    cells.cells[6] = consistency_place(*row.worst);
  }
  return cells;
}

}  // namespace

std::vector<ReportSection> consistency_sections(const ConsistencyResult& result) {
  std::vector<ReportSection> sections;
  sections.emplace_back(ReportVerdict{.mark = mark_of(result.verdict().agreement),
                                      .headline = consistency_summary(result),
                                      .lines = result.notes});
  ReportTable table{.title = "Checks",
                    .columns = {{"Engine", false, {}},
                                {"Check", false, {}},
                                {"Comparison", false, {}},
                                {"Verdict", false, {}},
                                {"Absolute", true, "Largest difference"},
                                {"Relative", true, "Largest difference"},
                                {"Where", false, {}},
                                {"Notes", false, {}}},
                    .rows = {},
                    .cases = ReportTable::Cases{
                        .name = {"Check", "Comparison"}, .outcome = "Verdict", .suite = "Engine"}};
  for (const ConsistencyRow& row : result.rows) table.rows.push_back(row_of(row));
  sections.emplace_back(std::move(table));
  return sections;
}

}  // namespace polygraphy
