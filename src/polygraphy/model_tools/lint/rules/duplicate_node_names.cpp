// Nodes of the main graph that have one name.
#include <unordered_map>

#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  std::unordered_map<std::string_view, std::vector<size_t>> positions;
  for (size_t i = 0; i < subject.node_names.size(); ++i) {
    positions[subject.node_names[i]].push_back(i);
  }
  for (size_t i = 0; i < subject.node_names.size(); ++i) {
    const std::string& name = subject.node_names[i];
    const std::vector<size_t>& ids = positions[name];
    if (ids.size() < 2 || ids.front() != i) continue;
    std::string list;
    for (const size_t id : ids) list += (list.empty() ? "" : ", ") + std::to_string(id);
    Finding finding;
    finding.level = LintLevel::kException;
    finding.message =
        "Duplicate node name: '" + name + "' for nodes with topological IDs: [" + list + "] found.";
    finding.node = name;
    findings.push_back(std::move(finding));
  }
}

}  // namespace

extern constinit const LintRule lint_rule_duplicate_node_names = {
    .name = "duplicate-node-names",
    .summary = "no two nodes have the same name",
    .order = 10,
    .original = true,
    .check = check_model,
};

}  // namespace polygraphy
