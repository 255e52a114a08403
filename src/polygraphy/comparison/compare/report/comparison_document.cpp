#include "polygraphy/comparison/compare/report/comparison_document.h"

#include "base/text.h"
#include "formats/record_json.h"

namespace polygraphy {
namespace {

ComparedTensor compared(const ComparisonReport& report, const std::string& name,
                        const ComparisonReport::Tensor& tensor) {
  const Layer* layer = report.layer(name);
  return {.name = name,
          .name1 = tensor.name1,
          .layer = layer ? std::optional(*layer) : std::nullopt,
          .passed = tensor.failed == 0,
          .iterations = tensor.iterations,
          .failed = tensor.failed,
          .worst = tensor.iteration,
          .info0 = tensor.info0,
          .info1 = tensor.info1,
          .functions = tensor.results,
          .elements = tensor.worst};
}

}  // namespace

std::vector<int64_t> sizes_of(const TensorInfo& array) {
  std::vector<int64_t> sizes;
  for (const Dim& dim : *array.shape) sizes.push_back(dim.value());
  return sizes;
}

std::string comparison_json(const ComparisonReport& report, const ReportFacts& facts) {
  RunDocument document{.command = facts.command,
                       .model = facts.model,
                       .status = facts.status,
                       .verdict = facts.verdict,
                       .files = {},
                       .validations = {},
                       .comparisons = {}};
  for (const auto& [what, path] : facts.files) document.files.set(to_lower(what), path);
  for (const auto& [runner, outputs] : report.validated_outputs()) {
    for (const auto* entry : report.in_order(outputs)) {
      const auto& [name, found] = *entry;
      document.validations.push_back({runner, name, found.iterations, found.invalid});
    }
  }
  for (const ComparisonReport::Pair& pair : report.pairs()) {
    ReportedPair& to = document.comparisons.emplace_back(ReportedPair{
        .runner0 = pair.runner0, .runner1 = pair.runner1, .first_bad = {}, .tensors = {}});
    for (const auto* entry : report.in_order(pair.tensors)) {
      to.tensors.push_back(compared(report, entry->first, entry->second));
      if (to.first_bad.empty() && !to.tensors.back().passed) to.first_bad = entry->first;
    }
  }
  return record_json(document);
}

}  // namespace polygraphy
