// Rules of `check lint`, one per file under rules/.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/model_tools/lint/finding.h"
#include "polygraphy/model_tools/lint/lint.h"

namespace polygraphy {

// The input of a rule. Rules do not change the model.
struct LintSubject {
  const graphsurgeon::Model& model;
  // Of the nodes of the main graph, in their order, none empty: see name_nodes().
  const std::vector<std::string>& node_names;
};

struct LintRule {
  std::string_view name;     // as --only-rule takes it: "unused-nodes"
  std::string_view summary;  // one line, for --list-rules
  // Findings are reported in this order; below kRuns before the model is run.
  int order = 0;
  // The original has it too: its findings count for the lists of passing and failing nodes, and are
  // written without the name of the rule.
  bool original = false;
  // True for advice, about models that are correct but may fail elsewhere: applied on request only.
  bool advice = false;
  // Appends its findings. Null: a part of the flow itself (lint.cpp).
  void (*check)(const LintSubject& subject, std::vector<Finding>& findings) = nullptr;
};

inline constexpr int kRuns = 100;

// Calls `use(graph, node, name)` for the nodes of all graphs, functions and subgraphs included; the
// main graph's first.
template <typename Use>
void for_each_node(const LintSubject& subject, Use use) {
  for (const graphsurgeon::Graph* graph : graphsurgeon::all_graphs(subject.model)) {
    const bool is_main = graph == subject.model.graph.get();
    for (size_t i = 0; i < graph->nodes().size(); ++i) {
      const graphsurgeon::Node& node = *graph->nodes()[i];
      use(*graph, node, is_main ? subject.node_names[i] : std::string(node.name()));
    }
  }
}

// All rules of the folder, in file order.
std::span<const LintRule* const> lint_rules();
// In the order of reports.
std::vector<const LintRule*> ordered_lint_rules();
// The same of those that `options` select. Throws Error for a name that no rule has.
std::vector<const LintRule*> selected_rules(const LintOptions& options);

// The nodes of the main graph that outputs depend on: positions, in order. O(model).
std::vector<size_t> needed_nodes(const graphsurgeon::Model& model);

// Names of the main graph's nodes, where those that have none are called
// polygraphy_unnamed_node_<position>. O(nodes).
std::vector<std::string> name_nodes(const graphsurgeon::Graph& graph);

}  // namespace polygraphy
