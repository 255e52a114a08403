#include "polygraphy/diagnosis/reduce/reduction_page.h"

#include <string>

#include "base/text.h"
#include "polygraphy/diagnosis/reduce/reduction_document.h"
#include "polygraphy/model_tools/visual/viewer_page.h"
#include "polygraphy/model_tools/visual/visualize_onnx.h"

namespace polygraphy {
namespace {

ReportVerdict verdict(const ReduceResult& result) {
  if (!result.bad) {
    return {
        .mark = ReportMark::kUndecided,
        .headline = result.interrupted ? "Interrupted before a model failed" : "No model failed"};
  }
  // A smaller model that fails is the wanted result.
  ReportVerdict verdict{.mark = result.interrupted ? ReportMark::kWarning : ReportMark::kGood,
                        .headline = result.summary};
  if (result.interrupted) verdict.lines.emplace_back("Interrupted: a smaller model is possible");
  return verdict;
}

ReportTable nodes_table(const ReduceResult& result) {
  ReportTable table{.title = "Failing nodes",
                    .columns = {{"Node", false, {}},
                                {"Operator", false, {}},
                                {"Place", true, "In its graph"},
                                {"Inputs", false, {}},
                                {"Outputs", false, {}}},
                    .rows = {},
                    .nodes = ReportTable::Nodes{.keys = {"Node"}}};
  for (const FailingNode& node : failing_nodes(result))
    table.rows.push_back({.cells = {node.name, node.op, static_cast<double>(node.place),
                                    join(node.inputs, ", "), join(node.outputs, ", ")}});
  return table;
}

}  // namespace

std::vector<ReportSection> reduction_sections(const ReduceResult& result, Logger& log) {
  std::vector<ReportSection> sections;
  sections.emplace_back(verdict(result));
  sections.emplace_back(
      ReportFigures{{},
                    {{"Checks", std::to_string(result.checks)},
                     {"Answered from known verdicts", std::to_string(result.cached)}}});
  if (!result.failure.empty()) {
    ReportNotes notes{.title = "First failure", .lines = {}};
    for (const std::string_view line : split_lines(result.failure)) notes.lines.emplace_back(line);
    sections.emplace_back(std::move(notes));
  }
  if (!result.bad) return sections;
  const VisualModel reduced = visualize(*result.bad, log);
  sections.push_back(graphs_section({&reduced, 1}, "Reduced model"));
  sections.emplace_back(nodes_table(result));
  return sections;
}

}  // namespace polygraphy
