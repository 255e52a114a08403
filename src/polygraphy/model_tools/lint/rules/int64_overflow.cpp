// 64-bit integers that runtimes with 32-bit ones would change.
#include <limits>

#include "base/error.h"
#include "polygraphy/model_tools/lint/rule.h"

namespace polygraphy {
namespace {

// Larger constants are data, not shapes and indices: reading them would take long.
constexpr int64_t kMostElements = 1 << 20;

// Ends of slices that mean "as far as it goes" are cut off where they stand.
bool is_sentinel(int64_t value) {
  using Limits = std::numeric_limits<int64_t>;
  return value >= Limits::max() - 1 || value <= Limits::min() + 1;
}

void check_model(const LintSubject& subject, std::vector<Finding>& findings) {
  graphsurgeon::for_each_payload(subject.model, [&](const graphsurgeon::PayloadUse& use) {
    if (use.values->dtype() != DataType::kInt64 || use.values->size() > kMostElements) return;
    try {
      const Array values = use.values->load(use.name);
      for (int64_t i = 0; i < values.size(); ++i) {
        const int64_t value = values.get_int64(i);
        const bool fits = value >= std::numeric_limits<int32_t>::min() &&
                          value <= std::numeric_limits<int32_t>::max();
        if (fits || is_sentinel(value)) continue;
        Finding finding;
        finding.level = LintLevel::kInfo;
        finding.message = "Constant " + std::string(use.name) + " holds " + std::to_string(value) +
                          ", which overflows in runtimes that compute in int32.";
        if (use.node) finding.node = use.node->name();
        findings.push_back(std::move(finding));
        return;
      }
    } catch (const Error&) {
      // Another rule reports unreadable values.
    }
  });
}

}  // namespace

extern constinit const LintRule lint_rule_int64_overflow = {
    .name = "int64-overflow",
    .summary = "int64 constants fit into int32",
    .order = 210,
    .advice = true,
    .check = check_model,
};

}  // namespace polygraphy
