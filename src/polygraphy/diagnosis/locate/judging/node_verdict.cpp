#include "polygraphy/diagnosis/locate/judging/node_verdict.h"

#include <optional>
#include <string_view>
#include <unordered_set>

#include "polygraphy/diagnosis/locate/judging/rules.h"

namespace polygraphy {
namespace {

bool is_off(const std::optional<JudgedError>& judged, double threshold) {
  return judged && judged->ratio > threshold;
}

// NaNs or infinities on one side only.
bool is_torn(const std::optional<JudgedError>& judged) {
  return judged && judged->error.non_finite_mismatches > 0;
}

// Its result in place is the reference's: whatever it computes alone, no difference is due to it.
bool agrees_in_place(const NodeFinding& finding) {
  return finding.accumulated && finding.accumulated->error.exact && !is_torn(finding.accumulated);
}

bool is_wrong_alone(const NodeFinding& finding, double threshold) {
  return is_off(finding.isolated, threshold) && !agrees_in_place(finding);
}

// A number beyond the format's becomes infinite in every engine of the format.
bool exceeds_range(const NodeFinding& finding) {
  return finding.headroom > 0 && finding.headroom < 1;
}

// Behind an earlier note, such as why the node did not run alone.
void add_note(NodeFinding& finding, std::string_view text) {
  if (!finding.note.empty()) finding.note += "; ";
  finding.note += text;
}

class Judgement {
 public:
  Judgement(std::vector<NodeFinding>& findings, const std::vector<std::vector<size_t>>& producers,
            const VerdictRules& rules)
      : findings_(findings), producers_(producers), rules_(rules), readers_(findings.size()) {
    for (size_t i = 0; i < producers.size(); ++i) {
      for (const size_t producer : producers[i]) readers_[producer].push_back(i);
    }
  }

  void run() {
    for (size_t i = 0; i < findings_.size(); ++i) {
      findings_[i].verdict = verdict_of(i);
      const auto& in_place = findings_[i].accumulated;
      if (findings_[i].verdict != NodeVerdict::kUnknown || !in_place) continue;
      const std::string& other = in_place->error.incomparable;
      add_note(findings_[i], other.empty()
                                 ? "it is wrong, but so may be its inputs, which were not compared"
                                 : "in place it has " + other);
    }
    accuse_neighbourhoods();
    for (size_t i = 0; i < findings_.size(); ++i) move_to_small_numbers(i);
  }

 private:
  // Errors in place of what the node reads.
  bool inputs_within(size_t position, double limit) const {
    return std::all_of(producers_[position].begin(), producers_[position].end(),
                       [&](size_t producer) {
                         const auto& input = findings_[producer].accumulated;
                         return input && !is_off(input, limit);
                       });
  }

  // Right inputs: nor are many of their small numbers off, which norms do not show.
  bool inputs_are_ordinary(size_t position) const {
    return inputs_within(position, rules::kOrdinary) &&
           std::none_of(producers_[position].begin(), producers_[position].end(),
                        [&](size_t producer) {
                          return findings_[producer].accumulated->by_element >
                                 rules::kFarOff * rules::kOrdinary;
                        });
  }

  // No number of its result is farther off than one that it reads: only where they stand, or which
  // ones are chosen, is its own.
  bool moves_error_of_inputs(size_t position) const {
    const NodeFinding& finding = findings_[position];
    if (!finding.moves || !finding.isolated || !finding.isolated->error.exact) return false;
    return std::any_of(producers_[position].begin(), producers_[position].end(),
                       [&](size_t producer) {
                         const auto& input = findings_[producer].accumulated;
                         return input && !is_torn(input) && input->error.incomparable.empty() &&
                                finding.accumulated->error.largest <= input->error.largest;
                       });
  }

  // The format does not hold all of their numbers.
  bool inputs_are_torn(size_t position) const {
    return std::any_of(producers_[position].begin(), producers_[position].end(),
                       [&](size_t producer) { return is_torn(findings_[producer].accumulated); });
  }

  // Whether a correct engine's results behind the node have its infinities, or lose numbers by
  // them. Behind a mask that Softmax reads they have not: -inf masks as well as -1e9.
  bool overflow_shows(size_t position) const {
    std::vector<size_t> left = {position};
    std::unordered_set<size_t> seen = {position};
    while (!left.empty()) {
      const size_t node = left.back();
      left.pop_back();
      if (readers_[node].empty() || rules_.makes_output(findings_[node])) return true;
      for (const size_t reader : readers_[node]) {
        const auto& in_place = findings_[reader].accumulated;
        if (!in_place || in_place->noise_largest == 0) return true;
        if (!in_place->noise_torn &&
            rules_.threshold * in_place->noise_largest >= in_place->error.magnitude())
          return true;
        if (in_place->noise_torn && seen.insert(reader).second) left.push_back(reader);
      }
    }
    return false;
  }

  // Of some input no error in place is known.
  bool lacks_inputs(size_t position) const {
    return std::any_of(producers_[position].begin(), producers_[position].end(),
                       [&](size_t producer) { return !findings_[producer].accumulated; });
  }

  bool is_bad(size_t position) const {
    const auto& accumulated = findings_[position].accumulated;
    return is_off(accumulated, rules_.threshold);
  }

  NodeVerdict consequence(const NodeFinding& finding) const {
    return finding.amplification >= rules::kAmplifies ? NodeVerdict::kAmplifier
                                                      : NodeVerdict::kVictim;
  }

  NodeVerdict verdict_of(size_t position) const {
    const NodeFinding& finding = findings_[position];
    const auto& isolated = finding.isolated;
    const auto& accumulated = finding.accumulated;
    if (!isolated && !accumulated) return NodeVerdict::kUnknown;
    const bool beyond = exceeds_range(finding), too_large = beyond && overflow_shows(position);
    if (is_torn(isolated) && !agrees_in_place(finding)) {
      if (too_large) return NodeVerdict::kOverflows;
      if (!isolated->noise_torn || is_off(isolated, rules_.threshold))
        return NodeVerdict::kNonFinite;
      // Its inputs exceed the range of the format.
      if (!beyond) return NodeVerdict::kVictim;
    }
    if (is_wrong_alone(finding, rules_.threshold)) return NodeVerdict::kGuilty;
    if (is_bad(position)) {
      if (inputs_within(position, rules_.threshold)) {
        if (too_large) return NodeVerdict::kOverflows;
        if (is_torn(accumulated) && !isolated) return NodeVerdict::kNonFinite;
        if (finding.reference_deviates) return NodeVerdict::kReferenceDeviates;
        // The engine chose other sizes for the whole model: which node did is not to be seen here.
        if (!accumulated->error.incomparable.empty()) return NodeVerdict::kUnknown;
        if (!isolated)
          return inputs_are_torn(position) ? consequence(finding) : NodeVerdict::kGuilty;
        // The noise in place includes that of its inputs, so an error beyond it is its own where
        // theirs are ordinary.
        if (is_off(finding.neighbours, rules_.threshold) ||
            (inputs_are_ordinary(position) && !moves_error_of_inputs(position)))
          return NodeVerdict::kGuiltyInside;
      }
      if (finding.reference_deviates) return NodeVerdict::kReferenceDeviates;
      if (!isolated && lacks_inputs(position)) return NodeVerdict::kUnknown;
      return consequence(finding);
    }
    if (too_large) return NodeVerdict::kOverflows;
    // As the noise is: the format cannot hold numbers behind its inputs.
    if (is_torn(accumulated) && !beyond) return NodeVerdict::kVictim;
    if (!finding.finite && finding.finite_inputs) return NodeVerdict::kNonFiniteInBoth;
    if (finding.headroom > 0 && finding.headroom < 2) return NodeVerdict::kNearOverflow;
    const bool exact =
        (!isolated || isolated->error.exact) && (!accumulated || accumulated->error.exact);
    return exact ? NodeVerdict::kExact : NodeVerdict::kNoise;
  }

  // The first node of each neighbourhood that is off there, though no node of it is guilty
  // otherwise, and each holds its numbers: fused nodes may keep what the format does not hold. Few
  // evaluations near a pole find a small part of the noise, so its error shows in place, too.
  void accuse_neighbourhoods() {
    std::unordered_set<std::string> explained;
    for (const NodeFinding& finding : findings_) {
      const bool explains = is_guilty(finding.verdict) || exceeds_range(finding);
      if (!finding.neighbourhood.empty() && explains)
        explained.insert(finding.neighbourhood.front());
    }
    for (NodeFinding& finding : findings_) {
      if (finding.neighbourhood.empty() || !finding.isolated || agrees_in_place(finding)) continue;
      if (!is_off(finding.neighbours, rules_.threshold)) continue;
      if (finding.accumulated && !is_off(finding.accumulated, rules::kOrdinary)) continue;
      if (explained.insert(finding.neighbourhood.front()).second)
        finding.verdict = NodeVerdict::kGuiltyInside;
    }
  }

  // By the elements: small numbers are far off, beside large ones that hide it from norms.
  bool is_off_in_small(size_t position, const std::optional<JudgedError>& judged) const {
    return judged && !agrees_in_place(findings_[position]) &&
           judged->by_element > rules::kFarOff * rules_.threshold;
  }

  // A node that is wrong on inputs that seem right may only show what an earlier one did to small
  // numbers.
  void move_to_small_numbers(size_t position) {
    NodeFinding& finding = findings_[position];
    const bool shows = finding.verdict == NodeVerdict::kGuiltyInside ||
                       finding.verdict == NodeVerdict::kAmplifier ||
                       finding.verdict == NodeVerdict::kVictim;
    if (!shows || !is_bad(position) || !inputs_within(position, rules_.threshold)) return;
    std::optional<size_t> first;
    std::vector<size_t> left = producers_[position];
    std::unordered_set<size_t> seen(left.begin(), left.end());
    while (!left.empty()) {
      const size_t producer = left.back();
      left.pop_back();
      if (!is_off_in_small(producer, findings_[producer].accumulated)) continue;
      if (!first || producer < *first) first = producer;
      for (const size_t before : producers_[producer]) {
        if (seen.insert(before).second) left.push_back(before);
      }
    }
    if (!first) return;
    finding.verdict = consequence(finding);
    if (is_guilty(findings_[*first].verdict)) return;
    findings_[*first].verdict = is_off_in_small(*first, findings_[*first].isolated)
                                    ? NodeVerdict::kGuilty
                                    : NodeVerdict::kGuiltyInside;
  }

  std::vector<NodeFinding>& findings_;
  const std::vector<std::vector<size_t>>& producers_;
  const VerdictRules& rules_;
  std::vector<std::vector<size_t>> readers_;  // by position
};

// How far off, for nodes of one verdict.
double weight(const NodeFinding& finding) {
  const auto of = [](const std::optional<JudgedError>& judged) {
    return judged ? judged->ratio : 0;
  };
  switch (finding.verdict) {
    case NodeVerdict::kGuilty:
      return finding.isolated ? of(finding.isolated) : of(finding.accumulated);
    case NodeVerdict::kAmplifier:
      return finding.amplification;
    // The first one is where it begins.
    case NodeVerdict::kGuiltyInside:
    case NodeVerdict::kNonFinite:
    case NodeVerdict::kNonFiniteInBoth:
    case NodeVerdict::kOverflows:
    case NodeVerdict::kReferenceDeviates:
      return 0;
    case NodeVerdict::kNearOverflow:
      return -finding.headroom;
    case NodeVerdict::kNoise:
      // Ranks by the size of the error, because errors have the same format.
      return (finding.isolated ? finding.isolated : finding.accumulated)->error.relative();
    default:
      return of(finding.accumulated);
  }
}

}  // namespace

std::string_view name_of(NodeVerdict verdict) {
  static constexpr std::string_view kNames[] = {"non-finite",
                                                "guilty",
                                                "guilty in place",
                                                "guilty if fused",
                                                "overflow",
                                                "encloses",
                                                "reference deviates",
                                                "amplifier",
                                                "victim",
                                                "non-finite in both",
                                                "overflow-risk",
                                                "noise",
                                                "exact",
                                                "unknown"};
  return kNames[static_cast<size_t>(verdict)];
}

void judge(std::vector<NodeFinding>& findings, const std::vector<std::vector<size_t>>& producers,
           const VerdictRules& rules) {
  Judgement(findings, producers, rules).run();
}

void rank(std::vector<NodeFinding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const NodeFinding& a, const NodeFinding& b) {
                     if (a.verdict != b.verdict) return a.verdict < b.verdict;
                     return weight(a) > weight(b);
                   });
  for (size_t i = 0; i < findings.size(); ++i) findings[i].rank = static_cast<int64_t>(i) + 1;
}

}  // namespace polygraphy
