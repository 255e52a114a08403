#include "polygraphy/diagnosis/locate/node_verdict.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace polygraphy {
namespace {

bool is_off(const std::optional<JudgedError>& judged, double threshold) {
  return judged && judged->ratio > threshold;
}

// NaNs or infinities on one side only.
bool is_torn(const std::optional<JudgedError>& judged) {
  return judged && judged->error.non_finite_mismatches > 0;
}

// The first node of each neighbourhood that is off there though none of it is off alone, by the
// neighbourhood's first name.
std::unordered_map<std::string, size_t> beginnings(const std::vector<NodeFinding>& findings,
                                                   const VerdictRules& rules) {
  std::unordered_map<std::string, size_t> first;
  std::unordered_set<std::string> explained;
  for (size_t i = 0; i < findings.size(); ++i) {
    const NodeFinding& finding = findings[i];
    if (finding.neighbourhood.empty()) continue;
    const std::string& key = finding.neighbourhood.front();
    if (is_off(finding.isolated, rules.threshold)) explained.insert(key);
    if (finding.isolated && is_off(finding.neighbours, rules.threshold)) first.try_emplace(key, i);
  }
  for (const std::string& key : explained) first.erase(key);
  return first;
}

NodeVerdict verdict_of(const NodeFinding& finding, const std::vector<NodeFinding>& findings,
                       const std::vector<size_t>& producers, bool begins_wrong,
                       const VerdictRules& rules) {
  const auto& isolated = finding.isolated;
  const auto& accumulated = finding.accumulated;
  if (!isolated && !accumulated) return NodeVerdict::kUnknown;
  // A number beyond the format's becomes infinite in every engine of the format.
  const bool too_large = finding.headroom > 0 && finding.headroom < 1;
  if (is_torn(isolated)) {
    if (too_large) return NodeVerdict::kOverflows;
    // Its inputs exceed the range of the format.
    return isolated->noise_torn && !is_off(isolated, rules.threshold) ? NodeVerdict::kVictim
                                                                      : NodeVerdict::kNonFinite;
  }
  if (is_off(isolated, rules.threshold)) return NodeVerdict::kGuilty;
  bool good_inputs = true;
  for (const size_t producer : producers) {
    const auto& input = findings[producer].accumulated;
    good_inputs &= input && !is_torn(input) && !is_off(input, rules.threshold);
  }
  const bool bad = is_torn(accumulated) || is_off(accumulated, rules.threshold);
  if (bad && good_inputs) {
    if (too_large) return NodeVerdict::kOverflows;
    if (is_torn(accumulated) && !isolated) return NodeVerdict::kNonFinite;
    if (!isolated) return NodeVerdict::kGuilty;
    if (is_off(finding.neighbours, rules.threshold)) return NodeVerdict::kGuiltyInside;
  }
  if (begins_wrong) return NodeVerdict::kGuiltyInside;
  if (bad) {
    return finding.amplification >= rules.amplifies ? NodeVerdict::kAmplifier
                                                    : NodeVerdict::kVictim;
  }
  if (too_large) return NodeVerdict::kOverflows;
  if (!finding.finite && finding.finite_inputs) return NodeVerdict::kNonFiniteInBoth;
  if (finding.headroom > 0 && finding.headroom < 2) return NodeVerdict::kNearOverflow;
  const bool exact =
      (!isolated || isolated->error.exact) && (!accumulated || accumulated->error.exact);
  return exact ? NodeVerdict::kExact : NodeVerdict::kNoise;
}

// How far off, for nodes of one verdict.
double weight(const NodeFinding& finding) {
  const auto of = [](const std::optional<JudgedError>& judged) {
    return judged ? judged->ratio : 0;
  };
  switch (finding.verdict) {
    case NodeVerdict::kGuilty:
      return finding.isolated ? of(finding.isolated) : of(finding.accumulated);
    case NodeVerdict::kGuiltyInside:
      return of(finding.neighbours);
    case NodeVerdict::kAmplifier:
      return finding.amplification;
    // The first one is where it begins.
    case NodeVerdict::kNonFinite:
    case NodeVerdict::kNonFiniteInBoth:
    case NodeVerdict::kOverflows:
      return 0;
    case NodeVerdict::kNearOverflow:
      return -finding.headroom;
    case NodeVerdict::kNoise:
      // Ranks by the size of the error, because errors have the same format.
      return finding.isolated ? finding.isolated->error.relative() : of(finding.accumulated);
    default:
      return of(finding.accumulated);
  }
}

}  // namespace

std::string_view name_of(NodeVerdict verdict) {
  switch (verdict) {
    case NodeVerdict::kNonFinite:
      return "non-finite";
    case NodeVerdict::kGuilty:
      return "guilty";
    case NodeVerdict::kGuiltyInside:
      return "guilty in place";
    case NodeVerdict::kGuiltyFused:
      return "guilty if fused";
    case NodeVerdict::kOverflows:
      return "overflow";
    case NodeVerdict::kAmplifier:
      return "amplifier";
    case NodeVerdict::kVictim:
      return "victim";
    case NodeVerdict::kNonFiniteInBoth:
      return "non-finite in both";
    case NodeVerdict::kNearOverflow:
      return "overflow-risk";
    case NodeVerdict::kNoise:
      return "noise";
    case NodeVerdict::kExact:
      return "exact";
    case NodeVerdict::kUnknown:
      return "unknown";
  }
  return "unknown";
}

void judge(std::vector<NodeFinding>& findings, const std::vector<std::vector<size_t>>& producers,
           const VerdictRules& rules) {
  const auto first = beginnings(findings, rules);
  for (size_t i = 0; i < findings.size(); ++i) {
    const auto& neighbourhood = findings[i].neighbourhood;
    const auto found = neighbourhood.empty() ? first.end() : first.find(neighbourhood.front());
    findings[i].verdict = verdict_of(findings[i], findings, producers[i],
                                     found != first.end() && found->second == i, rules);
  }
}

void rank(std::vector<NodeFinding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const NodeFinding& a, const NodeFinding& b) {
                     if (a.verdict != b.verdict) return a.verdict < b.verdict;
                     return weight(a) > weight(b);
                   });
}

}  // namespace polygraphy
