// Nodes of the main graph that no output depends on (spec S6.1).
#include <algorithm>
#include <set>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/passes/cleanup.h"
#include "polygraphy/lint/rule.h"

namespace polygraphy {
namespace {

using Named = std::pair<std::string, std::string>;  // name and operator

void check(const LintSubject& subject, std::vector<Finding>& findings) {
  graphsurgeon::Model cleaned = graphsurgeon::copy(subject.model);
  std::set<Named> unused;
  for (size_t i = 0; i < subject.node_names.size(); ++i) {
    const auto& node = cleaned.graph->nodes()[i];
    if (node->name().empty()) node->set_name(subject.node_names[i]);
    unused.emplace(subject.node_names[i], node->op());
  }
  graphsurgeon::cleanup(*cleaned.graph, {.recurse_subgraphs = false});
  for (const auto& node : cleaned.graph->nodes()) {
    unused.erase(Named(node->name(), node->op()));
  }
  for (const auto& [name, op] : unused) {
    Finding finding;
    finding.message = "Does not affect outputs, can be removed.";
    finding.node = name;
    finding.op = op;
    findings.push_back(std::move(finding));
  }
}

}  // namespace

extern const LintRule lint_rule_unused_nodes;
constinit const LintRule lint_rule_unused_nodes = {
    .name = "unused-nodes",
    .summary = "every node affects an output",
    .order = 120,
    .original = true,
    .check = check,
};

}  // namespace polygraphy
