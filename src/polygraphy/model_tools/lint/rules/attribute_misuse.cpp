// Attributes that the operator does not have, lacks, or has with another type.
#include <algorithm>

#include "graphsurgeon/ir/imports.h"
#include "graphsurgeon/onnx/schema.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

using graphsurgeon::Attribute;
using graphsurgeon::Graph;
using graphsurgeon::Node;
using graphsurgeon::OpAttribute;

void complain(std::string message, const Node& node, const std::string& name,
              std::vector<Finding>& findings) {
  Finding finding;
  finding.message = std::move(message);
  finding.node = name;
  finding.op = node.op();
  findings.push_back(std::move(finding));
}

void check_node(const Node& node, const std::string& name, const graphsurgeon::OpSchema& schema,
                std::vector<Finding>& findings) {
  const std::vector<OpAttribute> known = schema.attributes();
  const std::string op(node.op());
  const std::string since = " (version " + std::to_string(schema.since_version()) + ")";
  for (const Attribute& attribute : node.attributes()) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const OpAttribute& each) {
      return each.name == attribute.name;
    });
    if (found == known.end()) {
      complain(op + since + " has no attribute '" + std::string(attribute.name) + "'", node, name,
               findings);
    } else if (attribute.typed && attribute.type != found->type) {
      complain("Attribute '" + std::string(attribute.name) + "' of " + op + since +
                   " has a type that differs from the standard",
               node, name, findings);
    }
  }
  for (const OpAttribute& attribute : known) {
    if (!attribute.required || node.attribute(attribute.name)) continue;
    complain(op + since + " lacks the required attribute '" + std::string(attribute.name) + "'",
             node, name, findings);
  }
}

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  const graphsurgeon::FunctionIds functions(subject.model);
  for (const Graph* graph : graphsurgeon::graphs_in(*subject.model.graph)) {
    for (size_t i = 0; i < graph->nodes().size(); ++i) {
      const Node& node = *graph->nodes()[i];
      if (functions.called_by(node)) continue;
      const auto version = imported_version(subject.model.opset_imports, node.domain());
      if (!version) continue;
      const auto schema = graphsurgeon::find_schema(node.op(), *version, node.domain());
      if (!schema) continue;
      const bool is_main = graph == subject.model.graph.get();
      check_node(node, is_main ? subject.node_names[i] : std::string(node.name()), *schema,
                 findings);
    }
  }
}

}  // namespace

extern constinit const LintRule lint_rule_attribute_misuse = {
    .name = "attribute-misuse",
    .summary = "nodes have only attributes of their operators, and all required ones",
    .order = 140,
    .check = check_model,
};

}  // namespace polygraphy
