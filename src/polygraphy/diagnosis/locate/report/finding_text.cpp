#include "polygraphy/diagnosis/locate/report/finding_text.h"

#include <fmt/format.h>

#include "polygraphy/diagnosis/locate/report/locate_words.h"
#include "polygraphy/models/noise/number_format.h"

namespace polygraphy {
namespace {

std::string inputs_text(const NodeFinding& finding) {
  if (finding.least_input == 0 && finding.greatest_input == 0) return {};
  return fmt::format("; it reads {} to {}", short_number(finding.least_input),
                     short_number(finding.greatest_input));
}

std::string beyond_limit(const NodeFinding& finding) {
  const double limit = largest_number(*parse_number_format(finding.format));
  return fmt::format("its largest number is {}, beyond the limit of {}: {}",
                     short_number(limit / finding.headroom), finding.format, short_number(limit));
}

}  // namespace

std::string finding_place(const NodeFinding& finding) {
  std::string text = fmt::format("'{}' ({})", one_line(finding.node), finding.op);
  if (!finding.graph.empty()) text += " in " + finding.graph;
  if (!finding.module.empty()) text += ", module " + finding.module;
  if (is_guilty(finding.verdict) && !finding.ran_with.empty())
    text += fmt::format(", which the float model lacks, with '{}'", one_line(finding.ran_with));
  return text;
}

std::string finding_reason(const NodeFinding& finding) {
  const auto error = [](const JudgedError& judged) -> std::string {
    if (!judged.error.incomparable.empty()) return "not comparable: " + judged.error.incomparable;
    if (judged.chose_other_tie)
      return "of equal numbers it chooses another than ONNX requires: the first by index, or the "
             "last with select_last_index";
    constexpr double kHidden = 10;  // by the norm
    return fmt::format("relative error {}, {} the format's noise{}",
                       short_number(judged.error.relative()), times(judged.ratio),
                       judged.by_element > kHidden * judged.ratio
                           ? ", in small numbers " + times(judged.by_element) + " theirs"
                           : "");
  };
  if (!finding.wrong_weight.empty()) return finding.wrong_weight;
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
      return beyond_limit(finding);
    case NodeVerdict::kEncloses:
      return finding.note;
    case NodeVerdict::kReferenceDeviates:
      return error(*finding.accumulated) + ", but none against the model's own float results";
    case NodeVerdict::kAmplifier:
      return fmt::format("amplifies an error of its inputs {}", times(finding.amplification));
    case NodeVerdict::kNearOverflow:
      if (finding.headroom < 1) return beyond_limit(finding) + ", which changes nothing behind it";
      return fmt::format("its numbers are within a factor of {:.3g} of the limit of {}",
                         finding.headroom, finding.format);
    default:
      return finding.note;
  }
}

}  // namespace polygraphy
