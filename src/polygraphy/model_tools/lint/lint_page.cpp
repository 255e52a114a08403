#include "polygraphy/model_tools/lint/lint_page.h"

#include <string>
#include <utility>

#include "polygraphy/comparison/verdict/verdict_page.h"

namespace polygraphy {
namespace {

ReportMark mark_of(LintLevel level) {
  switch (level) {
    case LintLevel::kException:
      return ReportMark::kBad;
    case LintLevel::kWarning:
      return ReportMark::kWarning;
    case LintLevel::kInfo:
      break;
  }
  return ReportMark::kNone;
}

}  // namespace

std::vector<ReportSection> lint_sections(const LintResult& result) {
  std::vector<ReportSection> sections;
  sections.emplace_back(report_verdict(result.verdict()));
  if (result.report.findings().empty()) return sections;
  ReportTable table{.title = "Findings",
                    .columns = {{"Level", false, {}, true},
                                {"Node", false, {}},
                                {"Operator", false, {}},
                                {"Rule", false, {}, true},
                                {"Message", false, {}}},
                    .rows = {},
                    .cases = ReportTable::Cases{.name = {"Rule", "Node"}, .outcome = "Message"},
                    .nodes = ReportTable::Nodes{.keys = {"Node"}, .outcome = "Rule"}};
  for (const Finding& finding : result.report.findings()) {
    table.rows.push_back({.cells = {std::string(name_of(finding.level)), finding.node, finding.op,
                                    std::string(finding.rule), finding.message},
                          .mark = mark_of(finding.level)});
  }
  sections.emplace_back(std::move(table));
  return sections;
}

}  // namespace polygraphy
