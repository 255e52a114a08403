#include "polygraphy/model_tools/lint/rule.h"

#include <algorithm>
#include <unordered_set>

#include "base/error.h"
#include "base/near_names.h"
#include "graphsurgeon/ir/nested_graphs.h"

namespace polygraphy {

using graphsurgeon::Node;
using graphsurgeon::Tensor;

namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<const LintRule*> ordered_lint_rules() {
  std::vector<const LintRule*> rules(lint_rules().begin(), lint_rules().end());
  std::stable_sort(rules.begin(), rules.end(),
                   [](const LintRule* a, const LintRule* b) { return a->order < b->order; });
  return rules;
}

std::vector<const LintRule*> selected_rules(const LintOptions& options) {
  std::vector<std::string> known;
  for (const LintRule* rule : ordered_lint_rules()) known.emplace_back(rule->name);
  for (const auto* names : {&options.only, &options.skip}) {
    for (const std::string& name : *names) {
      if (contains(known, name)) continue;
      throw Error("Unknown lint rule '" + name + "'", unknown_name_hint(name, known, "Rules"));
    }
  }
  std::vector<const LintRule*> selected;
  for (const LintRule* rule : ordered_lint_rules()) {
    const bool wanted =
        options.only.empty() ? options.advice || !rule->advice : contains(options.only, rule->name);
    if (wanted && !contains(options.skip, rule->name)) selected.push_back(rule);
  }
  return selected;
}

std::vector<size_t> needed_nodes(const graphsurgeon::Model& model) {
  const graphsurgeon::Graph& graph = *model.graph;
  graphsurgeon::Captures captures;
  for (graphsurgeon::Graph* inner : graphsurgeon::inner_graphs_first(*model.graph)) {
    if (inner != &graph) captures.add(*inner);
  }
  const graphsurgeon::NodeIndex index(graph);
  graphsurgeon::LocalNames names(graph);
  std::unordered_set<const Tensor*> inputs;
  for (const graphsurgeon::TensorRef& input : graph.inputs()) inputs.insert(input.get());

  std::vector<bool> is_needed(graph.nodes().size());
  std::vector<size_t> to_follow;
  const auto use_producers = [&](const Tensor& tensor) {
    for (const Node* producer : tensor.producers()) {
      const auto at = index.find(*producer);
      if (!at || is_needed[*at]) continue;
      is_needed[*at] = true;
      to_follow.push_back(*at);
    }
  };
  const auto use = [&](const Tensor& tensor) {
    // They have a value, even where a node claims to make one.
    if (tensor.is_constant() || inputs.contains(&tensor)) return;
    use_producers(tensor);
    if (const Tensor* same = names.find(tensor)) use_producers(*same);
  };
  for (const graphsurgeon::TensorRef& output : graph.outputs()) use(*output);
  while (!to_follow.empty()) {
    const Node& node = *graph.nodes()[to_follow.back()];
    to_follow.pop_back();
    for (const Tensor* input : node.inputs()) use(*input);
    captures.for_each(node, use);
  }
  std::vector<size_t> needed;
  for (size_t i = 0; i < is_needed.size(); ++i) {
    if (is_needed[i]) needed.push_back(i);
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
