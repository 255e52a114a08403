#include "polygraphy/diagnosis/locate/report/nodes_headline.h"

#include <fmt/format.h>

#include <algorithm>

#include "polygraphy/diagnosis/locate/report/finding_text.h"
#include "polygraphy/diagnosis/locate/report/locate_words.h"

namespace polygraphy {
namespace {

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

class NodesHeadline {
 public:
  NodesHeadline(const LocateResult& result, const NodeCounts& counts)
      : result_(result),
        counts_(counts),
        format_(worst_format(result)),
        noise_((result.guilty() || result.noise.empty() ? format_ : result.noise) +
               (result.quantization ? " and of quantisation" : "")),
        place_(result.verdict.place.empty() ? "" : " at " + result.verdict.place) {}

  std::string text(std::string_view verdict) const {
    const size_t nodes = result_.nodes.size();
    if (!result_.varies.empty()) {
      return fmt::format("{} of {} nodes had errors above the noise of {}, each in one run",
                         counts_.guilty + counts_.overflowing + counts_.off, nodes, noise_);
    }
    if (result_.fusion && !result_.fusion->first_off.empty()) {
      return fmt::format(
          "{} of {} nodes is guilty where {} runs it with others: alone, all nodes are right",
          counts_.guilty, nodes, result_.target);
    }
    if (result_.fusion && !result_.fusion->tensors.empty()) {
      return fmt::format(
          "{} of {} nodes {} guilty where {} fuses them: all tensors agree if they "
          "are outputs",
          counts_.guilty, nodes, counts_.guilty == 1 ? "is" : "are",
          result_.fusion->on_both_sides ? fmt::format("{} or {}", result_.reference, result_.target)
                                        : result_.target);
    }
    if (result_.fusion) {
      return fmt::format("No node is guilty{}: all tensors agree if they are outputs, and {}",
                         place_, result_.fusion->note);
    }
    if (const std::string deviation = reference_headline(); !deviation.empty()) return deviation;
    if (counts_.guilty > 0 && has_wrong_weights_only()) {
      return fmt::format("{} of {} nodes {} guilty: the float model contradicts {} quantised {}",
                         counts_.guilty, nodes, counts_.guilty == 1 ? "is" : "are",
                         counts_.guilty == 1 ? "its" : "their",
                         counts_.guilty == 1 ? "weight" : "weights");
    }
    if (counts_.guilty > 0) {
      return fmt::format(
          "{} of {} nodes {} guilty{}: {} computes {} with errors above the noise of {}{}",
          counts_.guilty, nodes, counts_.guilty == 1 ? "is" : "are", operator_of_all(result_),
          result_.target, counts_.guilty == 1 ? "it" : "them", noise_,
          is_inside() ? ", but that does not make this model differ" + place_ : "");
    }
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

std::string worst_format(const LocateResult& result) {
  if (!result.nodes.empty() && !result.nodes.front().format.empty())
    return result.nodes.front().format;
  return std::string(name_of(result.format));
}

std::string nodes_headline(const LocateResult& result, const NodeCounts& counts,
                           std::string_view verdict) {
  return NodesHeadline(result, counts).text(verdict);
}

}  // namespace polygraphy
