#include "polygraphy/diagnosis/locate/locate_result.h"

#include <algorithm>

namespace polygraphy {

bool LocateResult::clean() const {
  const auto has_wrong_weight = [](const NodeFinding& one) { return !one.wrong_weight.empty(); };
  if (std::ranges::any_of(nodes, has_wrong_weight)) return false;
  if (verdict.agreement != Agreement::kNotCompared) return !verdict.failed();
  return off.empty() && std::none_of(nodes.begin(), nodes.end(), [](const NodeFinding& finding) {
           return is_guilty(finding.verdict) || finding.verdict == NodeVerdict::kOverflows;
         });
}

const NodeFinding* LocateResult::guilty() const {
  return !nodes.empty() && is_guilty(nodes.front().verdict) ? &nodes.front() : nullptr;
}

}  // namespace polygraphy
