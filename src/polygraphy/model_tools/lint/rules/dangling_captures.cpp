// Tensors that nodes use and nothing gives a value to, inside of subgraphs too.
#include "graphsurgeon/passes/extract.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

using graphsurgeon::Tensor;

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  for (const Tensor* tensor : graphsurgeon::undefined_tensors(*subject.model.graph)) {
    Finding finding;
    finding.message = "Tensor '" + std::string(tensor->name()) +
                      "' is used, but it has no producer and no values, and is not an input of an "
                      "enclosing graph.";
    findings.push_back(std::move(finding));
  }
}

}  // namespace

extern const LintRule lint_rule_dangling_captures;
constinit const LintRule lint_rule_dangling_captures = {
    .name = "dangling-captures",
    .summary = "every tensor that nodes and subgraphs use has a value",
    .order = 150,
    .check = check_model,
};

}  // namespace polygraphy
