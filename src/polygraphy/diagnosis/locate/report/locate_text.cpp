#include "polygraphy/diagnosis/locate/report/locate_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polygraphy/diagnosis/locate/report/locate_words.h"

namespace polygraphy {
namespace {

constexpr size_t kNamed = 4;  // nodes in the summary
constexpr size_t kKept = 6;   // nodes of a remedy

std::string counted(size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string times(double ratio) {
  if (std::isinf(ratio)) return "infinitely many times";
  return fmt::format("{:.3g} times", ratio);
}

std::string place(const NodeFinding& finding) {
  std::string text = fmt::format("'{}' ({})", one_line(finding.node), finding.op);
  if (!finding.graph.empty()) text += " in " + finding.graph;
  if (!finding.module.empty()) text += ", module " + finding.module;
  return text;
}

std::string inputs_text(const NodeFinding& finding) {
  if (finding.least_input == 0 && finding.greatest_input == 0) return {};
  return fmt::format("; it reads {} to {}", short_number(finding.least_input),
                     short_number(finding.greatest_input));
}

std::string reason(const NodeFinding& finding) {
  const auto error = [](const JudgedError& judged) -> std::string {
    if (!judged.error.incomparable.empty()) return "not comparable: " + judged.error.incomparable;
    constexpr double kHidden = 10;  // by the norm
    return fmt::format("relative error {}, {} the noise of the format{}",
                       short_number(judged.error.relative()), times(judged.ratio),
                       judged.by_element > kHidden * judged.ratio
                           ? ", in small numbers " + times(judged.by_element) + " theirs"
                           : "");
  };
  switch (finding.verdict) {
    case NodeVerdict::kNonFinite: {
      const TensorError& e =
          finding.isolated ? finding.isolated->error : finding.accumulated->error;
      return fmt::format(
          "{} elements are NaN or infinite on one side only, first element {}; "
          "the reference's numbers are {} to {}{}",
          e.non_finite_mismatches, e.first_mismatch, short_number(e.least_number),
          short_number(e.largest_number), inputs_text(finding));
    }
    case NodeVerdict::kNonFiniteInBoth: {
      const TensorError& e =
          finding.accumulated ? finding.accumulated->error : finding.isolated->error;
      return fmt::format("{} of {} elements on both sides, first at element {}{}",
                         e.non_finite_reference, e.elements, e.first_non_finite,
                         inputs_text(finding));
    }
    case NodeVerdict::kGuilty:
      return (finding.isolated ? "on the reference's inputs: " + error(*finding.isolated)
                               : "the first with an error: " + error(*finding.accumulated));
    case NodeVerdict::kGuiltyInside:
      if (finding.accumulated &&
          (!finding.neighbours || finding.neighbours->ratio < finding.accumulated->ratio))
        return "correct alone, but wrong in place on right inputs: " + error(*finding.accumulated);
      return fmt::format("correct alone, but with its {}: {}",
                         counted(finding.neighbourhood.size() - 1, "neighbour"),
                         error(*finding.neighbours));
    case NodeVerdict::kGuiltyFused:
      return finding.note;
    case NodeVerdict::kOverflows:
      return fmt::format(
          "its largest number is {}, beyond the limit of {}: {}",
          short_number(largest_number(*parse_number_format(finding.format)) / finding.headroom),
          finding.format, short_number(largest_number(*parse_number_format(finding.format))));
    case NodeVerdict::kEncloses:
      return finding.note;
    case NodeVerdict::kReferenceDeviates:
      return error(*finding.accumulated) + ", but none against the model's own float results";
    case NodeVerdict::kAmplifier:
      return fmt::format("amplifies an error of its inputs {}", times(finding.amplification));
    case NodeVerdict::kNearOverflow:
      return fmt::format("its numbers are within a factor of {:.3g} of the limit of {}",
                         finding.headroom, finding.format);
    default:
      return finding.note;
  }
}

std::string remedy_line(const LocateRemedy& remedy) {
  if (!remedy.agrees) return "No remedy: " + remedy.note;
  if (remedy.nodes.empty())
    return fmt::format("No remedy needed: the outputs agree by {} in {}", remedy.measure,
                       name_of(remedy.format));
  std::string text = fmt::format(
      "Remedy: with {}{} node(s) in float32 and the rest in {} the outputs agree by {}: ",
      remedy.fewest ? "" : "at most ", remedy.nodes.size(), name_of(remedy.format), remedy.measure);
  for (size_t i = 0; i < std::min(kKept, remedy.nodes.size()); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", remedy.nodes[i]);
  if (remedy.nodes.size() > kKept) text += fmt::format(" and {} more", remedy.nodes.size() - kKept);
  if (remedy.written_agrees && !*remedy.written_agrees)
    text += fmt::format("; but the outputs of '{}' do not", remedy.written);
  if (!remedy.note.empty()) text += "; " + remedy.note;
  return text;
}

size_t count(const LocateResult& result, auto fits) {
  return static_cast<size_t>(std::count_if(result.nodes.begin(), result.nodes.end(), fits));
}

size_t count(const LocateResult& result, NodeVerdict verdict) {
  return count(result, [&](const NodeFinding& finding) { return finding.verdict == verdict; });
}

// Neither alone nor in place.
bool was_not_compared(const NodeFinding& finding) {
  return finding.verdict == NodeVerdict::kUnknown && !finding.isolated && !finding.accumulated &&
         finding.ran_with.empty();
}

// Wrong in place, where its inputs were not compared.
bool is_unexplained(const NodeFinding& finding) {
  return finding.verdict == NodeVerdict::kUnknown && (finding.isolated || finding.accumulated);
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
        return count(result, is_unexplained) > 0 ? "unknown" : "noise";
      case NodeVerdict::kUnknown:
        return "unknown";
      default:
        break;
    }
  }
  return "agree";
}

namespace {

const NodeFinding& first_of(const LocateResult& result, auto fits) {
  return *std::find_if(result.nodes.begin(), result.nodes.end(), fits);
}

// By which the first of the ranked nodes is judged: that of a model's own numbers may be coarser
// than the target's.
std::string format_of_worst(const LocateResult& result) {
  if (!result.nodes.empty() && !result.nodes.front().format.empty())
    return result.nodes.front().format;
  return std::string(name_of(result.format));
}

// The lines of locate_summary().
class Summary {
 public:
  explicit Summary(const LocateResult& result)
      : result_(result),
        verdict_(locate_verdict(result)),
        format_(format_of_worst(result)),
        noise_(result.quantization ? format_ + " and of quantisation" : format_),
        guilty_(count(result, NodeVerdict::kGuilty) + count(result, NodeVerdict::kNonFinite) +
                count(result, NodeVerdict::kGuiltyInside) +
                count(result, NodeVerdict::kGuiltyFused)),
        overflowing_(count(result, NodeVerdict::kOverflows)),
        unexplained_(count(result, is_unexplained)),
        off_(count(result, NodeVerdict::kVictim) + count(result, NodeVerdict::kAmplifier) +
             unexplained_),
        unknown_(count(result, was_not_compared)) {}

  std::string text() {
    if (result_.verdict.agreement != Agreement::kNotCompared || result_.verdict.empty > 0)
      add(polygraphy::headline(result_.verdict));
    if (!result_.varies.empty()) add("Not deterministic, for the same input: " + result_.varies);
    add(nodes_headline());
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

  // The model's outputs agree, whatever its nodes do.
  bool is_inside() const { return result_.verdict.agreement == Agreement::kAgrees; }

  std::string nodes_headline() const {
    const size_t nodes = result_.nodes.size();
    if (!result_.varies.empty()) {
      return fmt::format("{} of {} nodes had errors above the noise of {}, each in one run",
                         guilty_ + overflowing_ + off_, nodes, noise_);
    }
    if (result_.fusion && !result_.fusion->first_off.empty()) {
      return fmt::format(
          "{} of {} nodes is guilty where {} runs it with others: alone, all nodes are right",
          guilty_, nodes, result_.target);
    }
    if (result_.fusion && !result_.fusion->tensors.empty()) {
      return fmt::format(
          "{} of {} nodes {} guilty where {} fuses them: all tensors agree if they "
          "are outputs",
          guilty_, nodes, guilty_ == 1 ? "is" : "are",
          result_.fusion->on_both_sides ? fmt::format("{} or {}", result_.reference, result_.target)
                                        : result_.target);
    }
    if (result_.fusion) {
      return "No node is guilty: all tensors agree if they are outputs, and " +
             result_.fusion->note;
    }
    if (const std::string deviation = reference_headline(); !deviation.empty()) return deviation;
    if (guilty_ > 0) {
      return fmt::format(
          "{} of {} nodes {} guilty{}: {} computes {} with errors above the noise of {}{}", guilty_,
          nodes, guilty_ == 1 ? "is" : "are", operator_of_all(result_), result_.target,
          guilty_ == 1 ? "it" : "them", noise_,
          is_inside() ? ", but that does not make this model differ" : "");
    }
    if (overflowing_ > 0) {
      return fmt::format("{} of {} nodes {} numbers beyond the range of {}", overflowing_, nodes,
                         overflowing_ == 1 ? "computes" : "compute", format_);
    }
    if (unexplained_ > 0 || (unknown_ > 0 && (off_ > 0 || !result_.off.empty()))) {
      const size_t off = std::max(off_, result_.off.size());
      return fmt::format("{} {} the noise of {}; the guilty node is unknown, since {}",
                         counted(off, "result"), off == 1 ? "exceeds" : "exceed", noise_,
                         unknown_ > 0
                             ? fmt::format("{} of {} nodes could not be compared", unknown_, nodes)
                             : why_unexplained(first_of(result_, is_unexplained)));
    }
    if (off_ > 0) {
      return fmt::format(
          "No single node is guilty, but {} {} above the noise of {}: errors "
          "accumulate",
          counted(off_, "result"), off_ == 1 ? "is" : "are", noise_);
    }
    if (verdict_ == "noise") {
      return fmt::format("No node is guilty{}: all errors are within the noise of {}",
                         unknown_ > 0 ? fmt::format(" among the {} of {} that could be compared",
                                                    nodes - unknown_, nodes)
                                      : "",
                         noise_);
    }
    if (verdict_ == "unknown") {
      return fmt::format("Both engines agree on all compared nodes: {} of {}", nodes - unknown_,
                         nodes);
    }
    return "Both engines agree on every tensor";
  }

  static std::string why_unexplained(const NodeFinding& finding) {
    if (finding.unknown_rounding) return finding.note;
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
    std::string text = guilty_ + overflowing_ > 0 ? "" : "No node can be blamed: ";
    text += fmt::format(
        "{} differs from the model's own float results, first at {}, and {} agrees "
        "with these",
        result_.reference, place(*first), result_.target);
    if (result_.saved_reference) text += "; it may be of another model, or of other weights";
    if (guilty_ > 0) {
      text += fmt::format(", or {} node{} wrong in both{}", guilty_, guilty_ == 1 ? " is" : "s are",
                          operator_of_all(result_));
    }
    return text;
  }

  // Nodes of one model only.
  void add_covered() {
    const size_t covered =
        count(result_, [](const NodeFinding& finding) { return !finding.ran_with.empty(); });
    if (covered == 0) return;
    add(fmt::format("  {} not in the reference's model {} judged with the next {} that it has",
                    counted(covered, "node"), covered == 1 ? "is" : "are",
                    covered == 1 ? "one" : "ones"));
  }

  // Nodes that the verdict leaves open, with a reason.
  void add_unknown() {
    if (unknown_ > 0) {
      const NodeFinding& first = first_of(result_, was_not_compared);
      add(fmt::format("  {} could not be compared, such as '{}': {}", counted(unknown_, "node"),
                      one_line(first.node), first.note));
    }
    if (unexplained_ == 0 || guilty_ > 0 || overflowing_ > 0) return;
    const NodeFinding& worst = first_of(result_, is_unexplained);
    add(fmt::format("  {}: {}: {}{}", name_of(worst.verdict), place(worst), reason(worst),
                    unexplained_ > 1 ? fmt::format(", and {} more", unexplained_ - 1) : ""));
  }

  // The worst ones, with their reasons.
  void add_nodes() {
    for (const NodeFinding& finding : result_.nodes) {
      if (named_ == (result_.remedy ? kNamed - 1 : kNamed) ||
          finding.verdict >= NodeVerdict::kVictim)
        break;
      add(fmt::format("  {}: {}: {}", name_of(finding.verdict), place(finding), reason(finding)));
      ++named_;
    }
    const size_t standing_out = guilty_ + overflowing_ +
                                count(result_, NodeVerdict::kReferenceDeviates) +
                                count(result_, NodeVerdict::kAmplifier);
    if (standing_out > named_) add(fmt::format("  and {} more", standing_out - named_));
    const size_t victims = count(result_, NodeVerdict::kVictim);
    if (guilty_ > 0 && victims > 0) {
      add(fmt::format("  {} {} errors only from {} inputs", counted(victims, "other"),
                      victims == 1 ? "has" : "have", victims == 1 ? "its" : "their"));
    }
    if (named_ > 0 || verdict_ != "noise") return;
    for (const NodeFinding& finding : result_.nodes) {
      if (finding.verdict != NodeVerdict::kNoise || !finding.isolated || named_ == 3) continue;
      if (finding.isolated->error.relative() == 0) break;
      add(fmt::format("  largest error from {}: relative error {}", place(finding),
                      short_number(finding.isolated->error.relative())));
      ++named_;
    }
  }

  // Numbers near the end of the format's range, or outside of it.
  void add_range() {
    if (const size_t near = count(result_, NodeVerdict::kNearOverflow); near > 0 && named_ == 0)
      add(fmt::format("  {} nodes are within a factor of two of the limit of {}", near, format_));
    const size_t both = count(result_, NodeVerdict::kNonFiniteInBoth);
    if (both == 0) return;
    const NodeFinding& first = first_of(result_, [](const NodeFinding& one) {
      return one.verdict == NodeVerdict::kNonFiniteInBoth;
    });
    add(fmt::format("  NaNs or infinities inside: {}: {}{}", place(first), reason(first),
                    both > 1 ? fmt::format(", and {} more", both - 1) : ""));
  }

  static std::string proof_line(const LocateProof& proof) {
    if (!proof.note.empty()) return "No proof: " + proof.note;
    if (proof.agrees) {
      std::string text =
          fmt::format("Proof: with the reference's results of {} node(s), all outputs agree",
                      proof.replaced.size());
      if (proof.worst_with_only_these && proof.suffices)
        text += "; with only these wrong, they are as far off";
      if (proof.worst_with_only_these && !proof.suffices) {
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
  const std::string verdict_, format_, noise_;
  const size_t guilty_, overflowing_;
  // Wrong behind inputs that were not compared; wrong but not guilty, these included; not compared.
  const size_t unexplained_, off_, unknown_;
  std::string text_;
  size_t named_ = 0;  // nodes
};

}  // namespace

std::string locate_summary(const LocateResult& result) {
  return Summary(result).text();
}

}  // namespace polygraphy
