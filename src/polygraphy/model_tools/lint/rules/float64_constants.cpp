// Constants of 64-bit floating point in models that do not calculate with it.
#include <algorithm>

#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  const auto& inputs = subject.model.graph->inputs();
  const bool wanted = std::any_of(inputs.begin(), inputs.end(), [](const auto& input) {
    return !input->is_constant() && input->dtype() == DataType::kFloat64;
  });
  if (wanted) return;
  graphsurgeon::for_each_payload(subject.model, [&](const graphsurgeon::PayloadUse& use) {
    if (use.values->dtype() != DataType::kFloat64) return;
    Finding finding;
    finding.level = LintLevel::kInfo;
    finding.message = "Constant " + std::string(use.name) + " is float64 (" +
                      std::to_string(use.values->size()) +
                      " elements), but no input is: float64 is missing or slow in many runtimes.";
    if (use.node) finding.node = use.node->name();
    findings.push_back(std::move(finding));
  });
}

}  // namespace

extern constinit const LintRule lint_rule_float64_constants = {
    .name = "float64-constants",
    .summary = "constants are not float64 unless an input is",
    .order = 200,
    .advice = true,
    .check = check_model,
};

}  // namespace polygraphy
