// Nodes of the main graph that no output depends on.
#include <set>

#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

using Named = std::pair<std::string, std::string>;  // name and operator

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  const auto named = [&](size_t i) {
    return Named(subject.node_names[i], subject.model.graph->nodes()[i]->op());
  };
  std::set<Named> unused;
  for (size_t i = 0; i < subject.node_names.size(); ++i) unused.insert(named(i));
  for (const size_t i : needed_nodes(subject.model)) unused.erase(named(i));
  for (const auto& [name, op] : unused) {
    Finding finding;
    finding.message = "Does not affect outputs, can be removed.";
    finding.node = name;
    finding.op = op;
    findings.push_back(std::move(finding));
  }
}

}  // namespace

extern constinit const LintRule lint_rule_unused_nodes = {
    .name = "unused-nodes",
    .summary = "every node affects an output",
    .order = 120,
    .original = true,
    .check = check_model,
};

}  // namespace polygraphy
