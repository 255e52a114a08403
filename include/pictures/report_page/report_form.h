// Forms of a report: HTML for people, others for CI systems. Each is a file in forms/.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pictures/report_page/report_page.h"

namespace polygraphy {

struct ReportFile {
  std::string name, text;
};

struct ReportForm {
  // An option that writes the form to a file, and its help; empty: none.
  std::string_view option = {}, help = {};
  // A variable of the environment that asks for the form without an option; empty: none.
  std::string_view variable = {};
  // The variable names a file that the form is appended to; else it goes to standard error.
  bool appends = false;
  // One of these. Texts of the page may hold any bytes. O(contents).
  std::string (*render)(const ReportPage& page) = nullptr;
  std::vector<ReportFile> (*files)(const ReportPage& page) = nullptr;  // the option names a folder
};

// All forms, in the order of their files.
std::span<const ReportForm* const> report_forms();

// Whether a verdict or a case is good, perhaps with a reservation. Skipped cases neither pass nor
// fail; undecided ones fail.
constexpr bool passes(ReportMark mark) {
  return mark <= ReportMark::kWarning;
}

// "✅", "⚠️" with a reservation and if undecided, "❌", "➖" if skipped.
std::string_view report_icon(ReportMark mark);

// A unit of the verdict.
struct ReportCase {
  std::string suite, name, outcome;
  std::string details = {};  // "Column: value", a line for each further column; may be empty
  ReportMark mark = ReportMark::kNone;
  std::optional<double> seconds = {};

  bool failed() const { return !passes(mark) && mark != ReportMark::kSkipped; }
};

// The verdict of the page in a suite with its title, so that nothing that fails looks passed; then
// the rows of all tables with cases, in their order. O(contents).
std::vector<ReportCase> report_cases(const ReportPage& page);

// The place of a column. Throws std::out_of_range: the table has none of that name.
size_t column_of(const ReportTable& table, std::string_view name);

// The column with the marks of a table of nodes in words; empty: none.
std::string outcome_column(const ReportTable& table);

// The verdict of a page. Null: none.
const ReportVerdict* report_verdict_of(const ReportPage& page);

// Any text as one line of valid UTF-8 without control characters.
std::string report_line(std::string_view text);

}  // namespace polygraphy
