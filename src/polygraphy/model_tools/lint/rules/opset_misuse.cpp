// Operators that the imported opset has not yet, or no longer.
#include "graphsurgeon/ir/imports.h"
#include "graphsurgeon/onnx/schema.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Node;

// Empty: the use is right, or the operator is unknown.
std::string complaint(std::string_view op, std::string_view domain, int64_t version) {
  const auto latest = graphsurgeon::latest_opset(domain);
  if (!latest || version > *latest) return {};
  const std::string imports = "the model imports version " + std::to_string(version) + " of '" +
                              (domain.empty() ? "ai.onnx" : std::string(domain)) + "'";
  if (const auto schema = graphsurgeon::find_schema(op, version, domain)) {
    if (!schema->deprecated()) return {};
    return std::string(op) + " is deprecated since version " +
           std::to_string(schema->since_version()) + "; " + imports;
  }
  for (int64_t later = version + 1; later <= *latest; ++later) {
    if (!graphsurgeon::find_schema(op, later, domain)) continue;
    return std::string(op) + " exists since version " + std::to_string(later) + "; " + imports;
  }
  return {};
}

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  const graphsurgeon::FunctionIds functions(subject.model);
  // Only the main graph and its subgraphs: functions import for themselves.
  for (const Graph* graph : graphsurgeon::graphs_in(*subject.model.graph)) {
    for (size_t i = 0; i < graph->nodes().size(); ++i) {
      const Node& node = *graph->nodes()[i];
      const auto version = imported_version(subject.model.opset_imports, node.domain());
      if (!version || functions.called_by(node)) continue;
      Finding finding;
      finding.message =
          complaint(node.op(), graphsurgeon::normalized_domain(node.domain()), *version);
      finding.node =
          graph == subject.model.graph.get() ? subject.node_names[i] : std::string(node.name());
      finding.op = node.op();
      if (!finding.message.empty()) findings.push_back(std::move(finding));
    }
  }
}

}  // namespace

extern constinit const LintRule lint_rule_opset_misuse = {
    .name = "opset-misuse",
    .summary = "operators exist in the opset that the model imports, and are not deprecated there",
    .order = 130,
    .check = check_model,
};

}  // namespace polygraphy
