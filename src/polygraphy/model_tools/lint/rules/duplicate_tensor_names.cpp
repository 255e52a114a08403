// One name for several values.
#include <unordered_set>

#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Tensor;

std::string in_graph(const LintSubject& subject, const Graph& graph) {
  return &graph == subject.model.graph.get() ? ""
                                             : " in the graph '" + std::string(graph.name()) + "'";
}

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  for (const Graph* graph : graphsurgeon::all_graphs(subject.model)) {
    std::unordered_set<std::string_view> weights, made, said;
    const auto complain = [&](std::string_view name, const char* what) {
      if (!said.insert(name).second) return;
      Finding finding;
      finding.message =
          "Tensor name '" + std::string(name) + "'" + in_graph(subject, *graph) + what;
      findings.push_back(std::move(finding));
    };
    for (const auto& tensor : graph->initializers()) {
      if (!weights.insert(tensor->name()).second) complain(tensor->name(), " has values twice.");
    }
    for (const auto& input : graph->inputs()) {
      if (!made.insert(input->name()).second) complain(input->name(), " is an input twice.");
    }
    for (const auto& node : graph->nodes()) {
      for (const Tensor* output : node->outputs()) {
        if (output->is_empty()) continue;
        const bool twice = !made.insert(output->name()).second || weights.contains(output->name());
        if (twice) complain(output->name(), " is an output of a node, but already has a value.");
      }
    }
  }
}

}  // namespace

extern constinit const LintRule lint_rule_duplicate_tensor_names = {
    .name = "duplicate-tensor-names",
    .summary = "no name is used for two values of one graph",
    .order = 160,
    .check = check_model,
};

}  // namespace polygraphy
