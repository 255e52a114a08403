// Values in attributes, which cannot be stored outside of the model file.
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

// The limit of one protobuf message.
constexpr int64_t kMost = (int64_t{1} << 31) - 1;

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  int64_t bytes = 0, largest = -1;
  std::string where;
  graphsurgeon::for_each_payload(subject.model, [&](const graphsurgeon::PayloadUse& use) {
    if (use.initializer || !use.node || use.values->external()) return;
    const int64_t size = use.values->nbytes();
    bytes += size;
    if (size <= largest) return;
    largest = size;
    where = use.name;
  });
  if (bytes <= kMost) return;
  Finding finding;
  finding.message =
      "Attributes hold " + std::to_string(bytes) +
      " bytes of values, above the limit of a model file (2 GiB); the largest is the attribute " +
      where + ". Use initializers, which can be stored in other files.";
  findings.push_back(std::move(finding));
}

}  // namespace

extern constinit const LintRule lint_rule_attribute_data = {
    .name = "attribute-data",
    .summary = "values in attributes fit into the model file (2 GiB)",
    .order = 180,
    .check = check_model,
};

}  // namespace polygraphy
