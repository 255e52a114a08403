// Tensors that nodes use and nothing gives a value to, inside of subgraphs too.
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graphsurgeon/passes/extract.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Tensor;

// Outputs of subgraphs that have the name of a tensor outside. Models may not do that, which the
// checker says of each; a value for them is there, however.
class ReturnedCaptures {
 public:
  explicit ReturnedCaptures(const Graph& main) { visit(main); }

  bool contains(const Tensor* tensor) const { return found_.contains(tensor); }

 private:
  void visit(const Graph& graph) {
    std::vector<std::string_view> own;
    for (const auto& input : graph.inputs()) own.push_back(input->name());
    for (const auto& initializer : graph.initializers()) own.push_back(initializer->name());
    for (const auto& node : graph.nodes()) {
      for (const Tensor* output : node->outputs()) own.push_back(output->name());
    }
    for (const std::string_view name : own) ++visible_[name];
    for (const auto& node : graph.nodes()) {
      if (!node->has_subgraphs()) continue;
      for (const auto& inner : node->subgraphs()) {
        for (const auto& output : inner->outputs()) {
          const auto outside = visible_.find(output->name());
          if (outside != visible_.end() && outside->second > 0) found_.insert(output.get());
        }
        visit(*inner);
      }
    }
    for (const std::string_view name : own) --visible_[name];
  }

  std::unordered_map<std::string_view, int> visible_;  // how many graphs around have the name
  std::unordered_set<const Tensor*> found_;
};

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  const auto undefined = graphsurgeon::undefined_tensors(*subject.model.graph);
  if (undefined.empty()) return;
  const ReturnedCaptures returned(*subject.model.graph);
  for (const Tensor* tensor : undefined) {
    if (returned.contains(tensor)) continue;
    Finding finding;
    finding.message = "Tensor '" + std::string(tensor->name()) +
                      "' is used, but it has no producer and no values, and is not an input of an "
                      "enclosing graph.";
    findings.push_back(std::move(finding));
  }
}

}  // namespace

extern constinit const LintRule lint_rule_dangling_captures = {
    .name = "dangling-captures",
    .summary = "every tensor that nodes and subgraphs use has a value",
    .order = 150,
    .check = check_model,
};

}  // namespace polygraphy
