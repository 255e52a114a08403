#include "polygraphy/diagnosis/locate/locate_result.h"

#include <algorithm>

#include "polygraphy/diagnosis/locate/report/node_counts.h"

namespace polygraphy {
namespace {

// Each node was judged alone, and is right.
bool all_nodes_are_right(const LocateResult& result) {
  const auto [guilty, overflowing, unexplained, off, unknown] = count_nodes(result);
  return guilty + overflowing + off + unknown == 0 &&
         std::ranges::none_of(result.nodes, [](const NodeFinding& one) {
           return one.verdict == NodeVerdict::kNoise && !one.isolated;
         });
}

}  // namespace

bool LocateResult::clean() const {
  const auto has_wrong_weight = [](const NodeFinding& one) { return !one.wrong_weight.empty(); };
  if (std::ranges::any_of(nodes, has_wrong_weight)) return false;
  // Of how many steps the numbers are off together is a matter of the input.
  if (verdict.agreement == Agreement::kTooCoarse && quantization) return all_nodes_are_right(*this);
  if (verdict.agreement != Agreement::kNotCompared) return verdict.passed();
  return compared_nodes_only() && !stands_out();
}

bool LocateResult::compared_nodes_only() const {
  return verdict.agreement == Agreement::kNotCompared && verdict.empty == 0 &&
         std::ranges::any_of(
             nodes, [](const NodeFinding& one) { return one.verdict != NodeVerdict::kUnknown; });
}

bool LocateResult::compared_nothing() const {
  return verdict.agreement == Agreement::kNotCompared && !compared_nodes_only() && !stands_out();
}

bool LocateResult::stands_out() const {
  const NodeCounts counts = count_nodes(*this);
  return !off.empty() || counts.guilty + counts.overflowing > 0;
}

const NodeFinding* LocateResult::guilty() const {
  return !nodes.empty() && is_guilty(nodes.front().verdict) ? &nodes.front() : nullptr;
}

}  // namespace polygraphy
