#include "polygraphy/lint/rule.h"

#include <algorithm>
#include <unordered_set>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/passes/cleanup.h"

namespace polygraphy {

std::vector<const LintRule*> ordered_lint_rules() {
  std::vector<const LintRule*> rules(lint_rules().begin(), lint_rules().end());
  std::stable_sort(rules.begin(), rules.end(),
                   [](const LintRule* a, const LintRule* b) { return a->order < b->order; });
  return rules;
}

std::vector<size_t> needed_nodes(const graphsurgeon::Model& model) {
  const graphsurgeon::Model cleaned = graphsurgeon::copy(model);
  const std::vector<graphsurgeon::NodeRef> nodes = cleaned.graph->nodes();
  graphsurgeon::cleanup(*cleaned.graph, {.recurse_subgraphs = false});
  std::unordered_set<const graphsurgeon::Node*> left;
  for (const graphsurgeon::NodeRef& node : cleaned.graph->nodes()) left.insert(node.get());
  std::vector<size_t> needed;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (left.contains(nodes[i].get())) needed.push_back(i);
  }
  return needed;
}

std::vector<std::string> name_nodes(const graphsurgeon::Graph& graph) {
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  for (const graphsurgeon::NodeRef& node : graph.nodes()) {
    names.emplace_back(node->name());
    taken.insert(names.back());
  }
  size_t collisions = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) continue;
    const std::string base = "polygraphy_unnamed_node_" + std::to_string(i);
    names[i] = base;
    while (!taken.insert(names[i]).second) names[i] = base + "_" + std::to_string(collisions++);
  }
  return names;
}

}  // namespace polygraphy
