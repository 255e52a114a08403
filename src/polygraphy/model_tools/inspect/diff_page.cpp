#include "polygraphy/model_tools/inspect/diff_page.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace polygraphy {

using graphsurgeon::Change;
using graphsurgeon::DiffItem;
using graphsurgeon::DiffReport;
using graphsurgeon::DiffState;
using graphsurgeon::GraphDiff;

namespace {

std::string_view name_of(DiffState state) {
  constexpr std::string_view kNames[] = {"added", "removed", "changed"};
  return kNames[static_cast<size_t>(state)];
}

ReportMark mark_of(DiffState state) {
  constexpr ReportMark kMarks[] = {ReportMark::kGood, ReportMark::kBad, ReportMark::kWarning};
  return kMarks[static_cast<size_t>(state)];
}

ReportTable::Cell cell(const std::optional<size_t>& place) {
  if (!place) return std::monostate();
  return static_cast<double>(*place);
}

ReportTable changes_table(const std::string& title, const std::vector<Change>& changes) {
  ReportTable table{
      .title = title,
      .columns = {{"Property", false, {}}, {"Before", false, {}}, {"After", false, {}}},
      .rows = {}};
  for (const Change& change : changes) {
    table.rows.push_back(
        {.cells = {change.what, change.before.value_or("-"), change.after.value_or("-")},
         .mark = ReportMark::kWarning});
  }
  return table;
}

// A row for each change of an item; one for an item that was added or removed.
ReportTable items_table(const std::string& title, const std::vector<DiffItem>& items) {
  ReportTable table{.title = title,
                    .columns = {{"State", false, {}},
                                {"Name", false, {}},
                                {"Operator", false, {}},
                                {"Property", false, {}},
                                {"Before", false, {}},
                                {"After", false, {}},
                                {"Place before", true, {}},
                                {"Place after", true, {}}},
                    .rows = {},
                    .nodes = ReportTable::Nodes{.keys = {"Name"}, .outcome = "State"}};
  for (const DiffItem& item : items) {
    const auto add = [&](std::string what, std::string before, std::string after) {
      table.rows.push_back(
          {.cells = {std::string(name_of(item.state)), item.name, item.op, std::move(what),
                     std::move(before), std::move(after), cell(item.before), cell(item.after)},
           .mark = mark_of(item.state)});
    };
    for (const Change& change : item.changes)
      add(change.what, change.before.value_or("-"), change.after.value_or("-"));
    if (item.changes.empty() && !item.values) add(item.details, "", "");
  }
  return table;
}

ReportTable values_table(const std::string& title, const std::vector<DiffItem>& items) {
  ReportTable table{
      .title = title,
      .columns = {{"Name", false, {}},
                  {"Elements", true, {}},
                  {"Different", true, "0: not counted"},
                  {"Largest difference", true, "Absolute"},
                  {"ULPs", true, "Largest difference in steps of the type"},
                  {"First before", false, {}},
                  {"First after", false, {}}},
      .rows = {},
      .nodes = ReportTable::Nodes{.keys = {"Name"}, .figures = {"Largest difference", "ULPs"}}};
  for (const DiffItem& item : items) {
    if (!item.values) continue;
    const graphsurgeon::WeightDiff& values = *item.values;
    ReportTable::Row row{.cells = {item.name, static_cast<double>(values.size),
                                   static_cast<double>(values.different), ReportTable::Cell(),
                                   ReportTable::Cell(), values.before, values.after},
                         .mark = ReportMark::kWarning};
    if (values.max_abs) row.cells[3] = *values.max_abs;
    if (values.max_ulp) row.cells[4] = static_cast<double>(*values.max_ulp);
    table.rows.push_back(std::move(row));
  }
  return table;
}

struct Counts {
  size_t of[3] = {};  // by state
  void add(const std::vector<DiffItem>& items) {
    for (const DiffItem& item : items) ++of[static_cast<size_t>(item.state)];
  }
  std::string text(std::string_view what) const {
    return fmt::format("{}: {} added, {} removed, {} changed", what, of[0], of[1], of[2]);
  }
};

ReportVerdict verdict(const DiffReport& report) {
  if (report.equal()) return {.mark = ReportMark::kGood, .headline = "The models are equal"};
  ReportVerdict verdict{.mark = ReportMark::kBad, .headline = "The models differ"};
  Counts nodes, initializers, values;
  for (const GraphDiff& graph : report.graphs) {
    nodes.add(graph.nodes);
    initializers.add(graph.initializers);
    values.add(graph.inputs);
    values.add(graph.outputs);
  }
  verdict.lines = {nodes.text("Nodes"), initializers.text("Initializers"),
                   values.text("Inputs and outputs")};
  if (!report.model.empty())
    verdict.lines.push_back(fmt::format("Fields of the model: {} change(s)", report.model.size()));
  return verdict;
}

}  // namespace

std::vector<ReportSection> diff_sections(const DiffReport& report, const std::string& before,
                                         const std::string& after) {
  std::vector<ReportSection> sections;
  sections.emplace_back(verdict(report));
  sections.emplace_back(ReportFigures{{}, {{"Before", before}, {"After", after}}});
  const auto add = [&](ReportTable table) {
    if (!table.rows.empty()) sections.emplace_back(std::move(table));
  };
  add(changes_table("The model", report.model));
  add(items_table("Functions", report.functions));
  for (const GraphDiff& graph : report.graphs) {
    const std::string of = graph.path.empty() ? "" : " of " + graph.path;
    add(changes_table("The graph" + of, graph.changes));
    add(items_table("Inputs" + of, graph.inputs));
    add(items_table("Outputs" + of, graph.outputs));
    add(items_table("Nodes" + of, graph.nodes));
    add(items_table("Initializers" + of, graph.initializers));
    add(values_table("Values of initializers" + of, graph.initializers));
  }
  return sections;
}

}  // namespace polygraphy
