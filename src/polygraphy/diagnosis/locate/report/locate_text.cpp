#include "polygraphy/diagnosis/locate/report/locate_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "polygraphy/diagnosis/locate/report/finding_text.h"
#include "polygraphy/diagnosis/locate/report/locate_words.h"
#include "polygraphy/diagnosis/locate/report/node_counts.h"

namespace polygraphy {
namespace {

constexpr size_t kNamed = 4;  // nodes in the summary
constexpr size_t kKept = 6;   // nodes of a remedy

std::string remedy_line(const LocateRemedy& remedy) {
  if (!remedy.agrees) return "No remedy: " + remedy.note;
  if (remedy.nodes.empty())
    return fmt::format("No remedy needed: the outputs agree {} in {}",
                       by_measure(remedy.measure, true), name_of(remedy.format));
  std::string text =
      fmt::format("Remedy: with {}{} node(s) in float32 and the rest in {} the outputs agree {}: ",
                  remedy.fewest ? "" : "at most ", remedy.nodes.size(), name_of(remedy.format),
                  by_measure(remedy.measure, true));
  for (size_t i = 0; i < std::min(kKept, remedy.nodes.size()); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", remedy.nodes[i]);
  if (remedy.nodes.size() > kKept) text += fmt::format(" and {} more", remedy.nodes.size() - kKept);
  if (remedy.written_agrees && !*remedy.written_agrees)
    text += fmt::format("; but the outputs of '{}' do not", remedy.written);
  if (!remedy.note.empty()) text += "; " + remedy.note;
  return text;
}

// ", all of them Conv" where several guilty nodes have one operator: that is how an engine computes
// it, not a fault of one node.
std::string operator_of_all(const LocateResult& result) {
  size_t guilty = 0;
  for (const NodeFinding& finding : result.nodes) {
    if (!is_guilty(finding.verdict)) break;
    if (finding.op != result.nodes.front().op) return {};
    ++guilty;
  }
  return guilty > 1 ? ", all of them " + result.nodes.front().op : "";
}

// By which the first of the ranked nodes is judged: that of a model's own numbers may be coarser
// than the target's.
std::string worst_format(const LocateResult& result) {
  if (!result.nodes.empty() && !result.nodes.front().format.empty())
    return result.nodes.front().format;
  return std::string(name_of(result.format));
}

// One sentence on the nodes of a result: "2 of 18 nodes are guilty ...".
class NodesHeadline {
 public:
  NodesHeadline(const LocateResult& result, const NodeCounts& counts)
      : result_(result),
        counts_(counts),
        format_(worst_format(result)),
        noise_((result.guilty() || result.noise.empty() ? format_ : result.noise) +
               (result.quantization ? " and of quantisation" : "")),
        place_(result.verdict.place.empty() ? "" : " at " + result.verdict.place) {}

  // `verdict`: of locate_verdict().
  std::string text(std::string_view verdict) const {
    const size_t nodes = result_.nodes.size();
    if (!result_.varies.empty()) {
      return fmt::format("{} of {} nodes had errors above the noise of {}, each in one run",
                         counts_.guilty + counts_.overflowing + counts_.off, nodes, noise_);
    }
    if (result_.fusion) return fused_headline(nodes);
    if (const std::string deviation = reference_headline(); !deviation.empty()) return deviation;
    if (counts_.guilty > 0) return guilty_headline(nodes);
    if (counts_.overflowing > 0) {
      return fmt::format("{} of {} nodes {} numbers beyond the range of {}", counts_.overflowing,
                         nodes, counts_.overflowing == 1 ? "computes" : "compute", format_);
    }
    if (counts_.unexplained > 0 ||
        (counts_.unknown > 0 && (counts_.off > 0 || !result_.off.empty()))) {
      const size_t off = std::max(counts_.off, result_.off.size());
      return fmt::format("{} {} the noise of {}; the guilty node is unknown, since {}",
                         counted(off, "result"), off == 1 ? "exceeds" : "exceed", noise_,
                         counts_.unknown > 0 ? fmt::format("{} of {} nodes could not be compared",
                                                           counts_.unknown, nodes)
                                             : why_unexplained(first_of(result_, is_unexplained)));
    }
    if (counts_.off > 0) {
      return fmt::format(
          "No single node is guilty{}, but {} {} above the noise of {}: errors "
          "accumulate",
          place_, counted(counts_.off, "result"), counts_.off == 1 ? "is" : "are", noise_);
    }
    if (verdict == "noise") {
      return fmt::format("No node is guilty{}{}: all errors are within the noise of {}",
                         counts_.unknown > 0
                             ? fmt::format(" among the {} of {} that could be compared",
                                           nodes - counts_.unknown, nodes)
                             : "",
                         place_, noise_);
    }
    if (verdict == "unknown") {
      return fmt::format("Both engines agree on all compared nodes{}: {} of {}", place_,
                         nodes - counts_.unknown, nodes);
    }
    return "Both engines agree on every tensor" + place_;
  }

 private:
  // The model's outputs agree, whatever its nodes do.
  bool is_inside() const { return result_.verdict.agreement == Agreement::kAgrees; }

  std::string fused_headline(size_t nodes) const {
    const LocateFusion& fusion = *result_.fusion;
    if (!fusion.first_off.empty()) {
      return fmt::format(
          "{} of {} nodes is guilty where {} runs it with others: alone, all nodes are right",
          counts_.guilty, nodes, result_.target);
    }
    if (!fusion.tensors.empty()) {
      return fmt::format(
          "{} of {} nodes {} guilty where {} fuses them: all tensors agree if they "
          "are outputs",
          counts_.guilty, nodes, counts_.guilty == 1 ? "is" : "are",
          fusion.on_both_sides ? fmt::format("{} or {}", result_.reference, result_.target)
                               : result_.target);
    }
    return fmt::format("No node is guilty{}: all tensors agree if they are outputs, and {}", place_,
                       fusion.note);
  }

  std::string guilty_headline(size_t nodes) const {
    if (has_wrong_weights_only()) {
      return fmt::format("{} of {} nodes {} guilty: the float model contradicts {} quantised {}",
                         counts_.guilty, nodes, counts_.guilty == 1 ? "is" : "are",
                         counts_.guilty == 1 ? "its" : "their",
                         counts_.guilty == 1 ? "weight" : "weights");
    }
    return fmt::format(
        "{} of {} nodes {} guilty{}: {} computes {} with errors above the noise of {}{}",
        counts_.guilty, nodes, counts_.guilty == 1 ? "is" : "are", operator_of_all(result_),
        result_.target, counts_.guilty == 1 ? "it" : "them", noise_,
        is_inside() ? ", but that does not make this model differ" + place_ : "");
  }

  bool has_wrong_weights_only() const {
    return std::ranges::none_of(result_.nodes, [](const NodeFinding& one) {
      return is_guilty(one.verdict) && one.wrong_weight.empty();
    });
  }

  static std::string why_unexplained(const NodeFinding& finding) {
    if (finding.unknown_rounding) return finding.note;
    if (finding.accumulated && !finding.accumulated->error.incomparable.empty()) {
      return fmt::format("'{}' has {}", one_line(finding.node),
                         finding.accumulated->error.incomparable);
    }
    return fmt::format("inputs of '{}' were not compared", one_line(finding.node));
  }

  // Where the reference is the side that is off, as far as one can see; empty: it is not.
  std::string reference_headline() const {
    const auto first = std::ranges::find_if(
        result_.in_order, [](const NodeFinding& one) { return one.reference_deviates; });
    const bool explains = std::ranges::none_of(result_.nodes, [](const NodeFinding& one) {
      return one.verdict < NodeVerdict::kEncloses && !one.reference_deviates;
    });
    if (first == result_.in_order.end() || !explains) return {};
    std::string text = counts_.guilty + counts_.overflowing > 0 ? "" : "No node can be blamed: ";
    text += fmt::format(
        "{} differs from the model's own float results, first at {}, and {} agrees "
        "with these",
        result_.reference, finding_place(*first), result_.target);
    if (result_.saved_reference) text += "; it may be of another model, or of other weights";
    if (counts_.guilty > 0) {
      text += fmt::format(", or {} node{} wrong in both{}", counts_.guilty,
                          counts_.guilty == 1 ? " is" : "s are", operator_of_all(result_));
    }
    return text;
  }

  const LocateResult& result_;
  const NodeCounts& counts_;
  const std::string format_, noise_;
  const std::string place_;  // behind sentences on the whole: " at step 5"
};

}  // namespace

std::string locate_verdict(const LocateResult& result) {
  if (!result.varies.empty()) return "not deterministic";
  for (const NodeFinding& finding : result.nodes) {
    switch (finding.verdict) {
      case NodeVerdict::kNonFinite:
      case NodeVerdict::kOverflows:
        return std::string(name_of(finding.verdict));
      case NodeVerdict::kGuilty:
      case NodeVerdict::kGuiltyInside:
      case NodeVerdict::kGuiltyFused:
        return "guilty";
      case NodeVerdict::kReferenceDeviates:
        return "reference deviates";
      case NodeVerdict::kEncloses:
      case NodeVerdict::kAmplifier:
      case NodeVerdict::kVictim:
        return "accumulated";
      case NodeVerdict::kNearOverflow:
      case NodeVerdict::kNoise:
        return std::ranges::any_of(result.nodes, is_unexplained) ? "unknown" : "noise";
      case NodeVerdict::kUnknown:
        return "unknown";
      default:
        break;
    }
  }
  return "agree";
}

namespace {

// The lines of locate_summary().
class Summary {
 public:
  explicit Summary(const LocateResult& result)
      : result_(result), verdict_(locate_verdict(result)), counts_(count_nodes(result)) {}

  std::string text() {
    if (result_.verdict.agreement != Agreement::kNotCompared || result_.verdict.empty > 0)
      add(polygraphy::headline(result_.verdict));
    if (result_.verdict.agreement == Agreement::kTooCoarse && result_.clean())
      add("The outputs say nothing, for this input; each node was judged alone, and is right");
    if (!result_.varies.empty()) add("Not deterministic, for the same input: " + result_.varies);
    add(NodesHeadline(result_, counts_).text(verdict_));
    add_covered();
    add_unknown();
    add_nodes();
    add_range();
    if (result_.proof) add(proof_line(*result_.proof));
    if (result_.remedy) add(remedy_line(*result_.remedy));
    return std::move(text_);
  }

 private:
  void add(const std::string& line) { text_ += (text_.empty() ? "" : "\n") + line; }

  // Nodes of one model only.
  void add_covered() {
    const auto covered = std::ranges::count_if(
        result_.nodes, [](const NodeFinding& finding) { return !finding.ran_with.empty(); });
    if (covered == 0) return;
    add(fmt::format("  {} that the float model lacks {} judged with the next {} that both have",
                    counted(static_cast<size_t>(covered), "node"), covered == 1 ? "is" : "are",
                    covered == 1 ? "one" : "ones"));
  }

  // Nodes that the verdict leaves open, with a reason.
  void add_unknown() {
    if (counts_.unknown > 0) {
      const NodeFinding& first = first_of(result_, was_not_compared);
      add(fmt::format("  {} could not be compared, such as '{}': {}",
                      counted(counts_.unknown, "node"), one_line(first.node), first.note));
    }
    if (counts_.unexplained == 0 || counts_.guilty > 0 || counts_.overflowing > 0) return;
    const NodeFinding& worst = first_of(result_, is_unexplained);
    add(fmt::format(
        "  {}: {}: {}{}", name_of(worst.verdict), finding_place(worst), finding_reason(worst),
        counts_.unexplained > 1 ? fmt::format(", and {} more", counts_.unexplained - 1) : ""));
  }

  // The worst ones, with their reasons.
  void add_nodes() {
    // Of two models, the line of an inserted node names the next one, too.
    std::set<std::string> inserted;
    size_t covered = 0;
    for (const NodeFinding& finding : result_.nodes) {
      if (named_ == (result_.remedy ? kNamed - 1 : kNamed) ||
          finding.verdict >= NodeVerdict::kVictim)
        break;
      if (inserted.contains(finding.node)) {
        ++covered;
        continue;
      }
      if (!finding.ran_with.empty()) inserted.insert(finding.ran_with);
      add(fmt::format("  {}: {}: {}", name_of(finding.verdict), finding_place(finding),
                      finding_reason(finding)));
      ++named_;
    }
    const size_t standing_out = counts_.guilty + counts_.overflowing +
                                count(result_, NodeVerdict::kReferenceDeviates) +
                                count(result_, NodeVerdict::kAmplifier);
    if (standing_out > named_ + covered)
      add(fmt::format("  and {} more", standing_out - named_ - covered));
    const size_t victims = count(result_, NodeVerdict::kVictim);
    if (counts_.guilty > 0 && victims > 0) {
      add(fmt::format("  {} {} errors only from {} inputs", counted(victims, "other"),
                      victims == 1 ? "has" : "have", victims == 1 ? "its" : "their"));
    }
    if (named_ > 0 || verdict_ != "noise") return;
    for (const NodeFinding& finding : result_.nodes) {
      if (finding.verdict != NodeVerdict::kNoise || named_ == 3) continue;
      const double error =
          (finding.isolated ? finding.isolated : finding.accumulated)->error.relative();
      if (error == 0) break;
      add(fmt::format("  largest error from {}: relative error {}", finding_place(finding),
                      short_number(error)));
      ++named_;
    }
  }

  // Numbers near the end of the format's range, or outside of it.
  void add_range() {
    if (const size_t near = count(result_, NodeVerdict::kNearOverflow); near > 0 && named_ == 0)
      add(
          fmt::format("  {} nodes are within a factor of two of the limit of {}, or beyond it "
                      "without an effect",
                      near, worst_format(result_)));
    const size_t both = count(result_, NodeVerdict::kNonFiniteInBoth);
    if (both == 0) return;
    const NodeFinding& first = first_of(result_, [](const NodeFinding& one) {
      return one.verdict == NodeVerdict::kNonFiniteInBoth;
    });
    add(fmt::format("  NaNs or infinities inside: {}: {}{}", finding_place(first),
                    finding_reason(first), both > 1 ? fmt::format(", and {} more", both - 1) : ""));
  }

  static std::string proof_line(const LocateProof& proof) {
    if (!proof.note.empty()) return "No proof: " + proof.note;
    if (proof.agrees) {
      std::string text =
          fmt::format("Proof: with the reference's results of {} node(s), all outputs agree",
                      proof.replaced.size());
      if (proof.worst_with_only_these && proof.suffices)
        text += "; replacing only these nodes reproduces the error";
      // Within the noise.
      if (proof.worst_with_only_these && !proof.suffices && *proof.worst_with_only_these <= 1) {
        text +=
            "; computed apart from other nodes, their own results are right, so the fault is "
            "in how the engine fuses them";
      } else if (proof.worst_with_only_these && !proof.suffices) {
        text += fmt::format(
            ", but with only these wrong, the outputs are off by {} their noise, not {}",
            times(*proof.worst_with_only_these), times(proof.worst_before));
      }
      return text;
    }
    return fmt::format(
        "With the reference's results of {} node(s), output '{}' is still off by {} its noise{}",
        proof.replaced.size(), proof.worst_output, times(proof.worst_after),
        proof.next.empty() ? "" : ", first at '" + proof.next.front() + "'");
  }

  const LocateResult& result_;
  const std::string verdict_;
  const NodeCounts counts_;
  std::string text_;
  size_t named_ = 0;  // nodes
};

}  // namespace

std::string locate_summary(const LocateResult& result) {
  return Summary(result).text();
}

}  // namespace polygraphy
