// The onnx project's checker.
#include "graphsurgeon/onnx/checker.h"

#include "polygraphy/lint/rule.h"

namespace polygraphy {
namespace {

void check(const LintSubject& subject, std::vector<Finding>& findings) {
  std::string complaint = graphsurgeon::checker_complaint(subject.model);
  if (complaint.empty()) return;
  Finding finding;
  finding.level = LintLevel::kException;
  finding.source = LintSource::kOnnxChecker;
  finding.message = std::move(complaint);
  findings.push_back(std::move(finding));
}

}  // namespace

extern const LintRule lint_rule_onnx_checker;
constinit const LintRule lint_rule_onnx_checker = {
    .name = "onnx-checker",
    .summary = "the model conforms to the ONNX standard (onnx.checker)",
    .order = 20,
    .original = true,
    .check = check,
};

}  // namespace polygraphy
