#include "pictures/report_page/report_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/text.h"
#include "base/visible_text.h"

namespace polygraphy {
namespace {

std::string text_of(const ReportTable::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.6g}", *number);
  return {};
}

void add_cases(const ReportTable& table, std::vector<ReportCase>& cases) {
  const ReportTable::Cases& columns = *table.cases;
  for (const ReportTable::Row& row : table.rows) {
    ReportCase one{
        .suite = {}, .name = {}, .outcome = {}, .mark = row.mark, .seconds = row.seconds};
    for (size_t i = 0; i < row.cells.size(); ++i) {
      const std::string& column = table.columns[i].name;
      const std::string text = text_of(row.cells[i]);
      if (text.empty()) continue;
      if (std::ranges::count(columns.name, column) > 0) {
        one.name += (one.name.empty() ? "" : " ") + text;
      } else if (column == columns.outcome) {
        one.outcome = text;
      } else if (column == columns.suite) {
        one.suite = text;
      } else {
        one.details += fmt::format("{}: {}\n", column, text);
      }
    }
    if (one.suite.empty()) one.suite = table.title;
    cases.push_back(std::move(one));
  }
}

}  // namespace

std::vector<ReportCase> report_cases(const ReportPage& page) {
  std::vector<ReportCase> cases;
  if (const ReportVerdict* verdict = report_verdict_of(page)) {
    ReportCase& whole = cases.emplace_back(ReportCase{.suite = page.title,
                                                      .name = "verdict",
                                                      .outcome = verdict->headline,
                                                      .mark = verdict->mark});
    for (const std::string& line : verdict->lines) whole.details += line + "\n";
  }
  for (const ReportSection& section : page.sections) {
    const auto* table = std::get_if<ReportTable>(&section);
    if (table && table->cases) add_cases(*table, cases);
  }
  return cases;
}

size_t column_of(const ReportTable& table, std::string_view name) {
  const auto found = std::ranges::find(table.columns, name, &ReportTable::Column::name);
  if (found == table.columns.end())
    throw std::out_of_range(fmt::format("{} has no column {}", table.title, name));
  return static_cast<size_t>(found - table.columns.begin());
}

std::string outcome_column(const ReportTable& table) {
  if (table.nodes && !table.nodes->outcome.empty()) return table.nodes->outcome;
  return table.cases ? table.cases->outcome : std::string();
}

const ReportVerdict* report_verdict_of(const ReportPage& page) {
  for (const ReportSection& section : page.sections) {
    if (const auto* verdict = std::get_if<ReportVerdict>(&section)) return verdict;
  }
  return nullptr;
}

std::string_view report_icon(ReportMark mark) {
  if (mark == ReportMark::kSkipped) return "➖";
  if (passes(mark)) return mark == ReportMark::kWarning ? "⚠️" : "✅";
  return mark == ReportMark::kBad || mark == ReportMark::kError ? "❌" : "⚠️";
}

std::string report_line(std::string_view text) {
  std::string storage;
  std::string_view rest = visible(text, storage);
  std::string line;
  while (!rest.empty()) {
    const CodePoint c = first_code_point(rest);
    if (c.value >= 0xD800 && c.value <= 0xDFFF) {
      line += "\xEF\xBF\xBD";
    } else if (c.value == '\n' || c.value == '\t') {
      line += ' ';
    } else if (c.value != '\r') {  // of \r\n, which ends a line of Markdown by itself

      line += rest.substr(0, c.length);
    }
    rest.remove_prefix(c.length);
  }
  return line;
}

}  // namespace polygraphy
