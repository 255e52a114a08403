#include "polygraphy/diagnosis/locate/report/node_counts.h"

namespace polygraphy {
namespace {

size_t count_if(const LocateResult& result, auto fits) {
  return static_cast<size_t>(std::ranges::count_if(result.nodes, fits));
}

}  // namespace

NodeCounts count_nodes(const LocateResult& result) {
  const size_t unexplained = count_if(result, is_unexplained);
  return {.guilty = count_if(result,
                             [](const NodeFinding& finding) { return is_guilty(finding.verdict); }),
          .overflowing = count(result, NodeVerdict::kOverflows),
          .unexplained = unexplained,
          .off = count(result, NodeVerdict::kVictim) + count(result, NodeVerdict::kAmplifier) +
                 unexplained,
          .unknown = count_if(result, was_not_compared)};
}

size_t count(const LocateResult& result, NodeVerdict verdict) {
  return count_if(result, [&](const NodeFinding& finding) { return finding.verdict == verdict; });
}

bool was_not_compared(const NodeFinding& finding) {
  return finding.verdict == NodeVerdict::kUnknown && !finding.isolated && !finding.accumulated &&
         finding.ran_with.empty();
}

bool is_unexplained(const NodeFinding& finding) {
  return finding.verdict == NodeVerdict::kUnknown && (finding.isolated || finding.accumulated);
}

}  // namespace polygraphy
