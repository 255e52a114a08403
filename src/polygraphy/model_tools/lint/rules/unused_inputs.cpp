// Inputs of the model that no output depends on.
#include <algorithm>

#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/passes/cleanup.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  graphsurgeon::Model cleaned = graphsurgeon::copy(subject.model);
  graphsurgeon::cleanup(*cleaned.graph,
                        {.recurse_subgraphs = false, .remove_unused_graph_inputs = true});
  std::vector<std::string_view> before, after, unused;
  const auto names = [](const graphsurgeon::Graph& graph, std::vector<std::string_view>& out) {
    for (const auto& input : graph.inputs()) {
      if (!input->is_constant()) out.push_back(input->name());
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  };
  names(*subject.model.graph, before);
  names(*cleaned.graph, after);
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                      std::back_inserter(unused));
  for (const std::string_view name : unused) {
    Finding finding;
    finding.message = "Input: '" + std::string(name) + "' does not affect outputs, can be removed.";
    findings.push_back(std::move(finding));
  }
}

}  // namespace

extern constinit const LintRule lint_rule_unused_inputs = {
    .name = "unused-inputs",
    .summary = "every input affects an output",
    .order = 110,
    .original = true,
    .check = check_model,
};

}  // namespace polygraphy
