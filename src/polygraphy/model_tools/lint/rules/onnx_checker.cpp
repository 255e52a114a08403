// The onnx project's checker, and errors that it overlooks.
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/onnx/checker.h"
#include "graphsurgeon/onnx/schema.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

std::string complaint_of(const graphsurgeon::Model& model) {
  std::string complaint = graphsurgeon::checker_complaint(model);
  if (!complaint.empty()) return complaint;
  if (model.graph->outputs().empty()) {
    return "The model has no outputs, so its results are inaccessible.";
  }
  for (const graphsurgeon::OpsetImport& import : model.opset_imports) {
    const std::string domain(graphsurgeon::normalized_domain(import.domain));
    const auto latest = graphsurgeon::latest_opset(domain);
    if (!latest || import.version <= *latest) continue;
    return "The model imports version " + std::to_string(import.version) + " of '" +
           (domain.empty() ? "ai.onnx" : domain) + "'; the newest known version is " +
           std::to_string(*latest) + ".";
  }
  return {};
}

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  std::string complaint = complaint_of(subject.model);
  if (complaint.empty()) return;
  Finding finding;
  finding.level = LintLevel::kException;
  finding.source = LintSource::kOnnxChecker;
  finding.message = std::move(complaint);
  findings.push_back(std::move(finding));
}

}  // namespace

extern constinit const LintRule lint_rule_onnx_checker = {
    .name = "onnx-checker",
    .summary = "the model conforms to the ONNX standard (onnx.checker)",
    .order = 20,
    .original = true,
    .check = check_model,
};

}  // namespace polygraphy
