// Unused outputs of needed nodes.
#include <unordered_set>

#include "graphsurgeon/ir/nested_graphs.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  graphsurgeon::Captures captures;
  for (Graph* graph : graphsurgeon::inner_graphs_first(*subject.model.graph)) captures.add(*graph);
  std::unordered_set<const Tensor*> read;
  for (const auto& output : subject.model.graph->outputs()) read.insert(output.get());
  for (const auto& node : subject.model.graph->nodes()) {
    for (const Tensor* input : node->inputs()) read.insert(input);
    captures.for_each(*node, [&](const Tensor& tensor) { read.insert(&tensor); });
  }
  for (size_t i = 0; i < subject.node_names.size(); ++i) {
    const Node& node = *subject.model.graph->nodes()[i];
    size_t used = 0;
    std::vector<std::string> unused;
    for (const Tensor* output : node.outputs()) {
      if (output->is_empty()) continue;
      if (read.contains(output)) {
        ++used;
      } else {
        unused.emplace_back(output->name());
      }
    }
    if (used == 0) continue;  // another rule reports unused nodes
    for (const std::string& name : unused) {
      Finding finding;
      finding.level = LintLevel::kInfo;
      finding.message = "Its output '" + name + "' is unused.";
      finding.node = subject.node_names[i];
      finding.op = node.op();
      findings.push_back(std::move(finding));
    }
  }
}

}  // namespace

extern constinit const LintRule lint_rule_dead_outputs = {
    .name = "dead-outputs",
    .summary = "every output of a needed node is used",
    .order = 220,
    .advice = true,
    .check = check_model,
};

}  // namespace polygraphy
