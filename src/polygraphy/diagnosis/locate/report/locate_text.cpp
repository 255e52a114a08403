#include "polygraphy/diagnosis/locate/report/locate_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/text.h"
#include "base/text_table.h"

namespace polygraphy {
namespace {

constexpr size_t kNamed = 4;  // nodes in the summary
constexpr size_t kKept = 6;   // nodes of a remedy

std::string number(double value) {
  if (std::isinf(value)) return "inf";
  return value == 0 ? "0" : fmt::format("{:.2g}", value);
}

std::string counted(size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

std::string times(double ratio) {
  if (std::isinf(ratio)) return "infinitely many times";
  return fmt::format("{:.3g} times", ratio);
}

std::string place(const NodeFinding& finding) {
  std::string text = fmt::format("'{}' ({})", finding.node, finding.op);
  if (!finding.graph.empty()) text += " in " + finding.graph;
  if (!finding.module.empty()) text += ", module " + finding.module;
  return text;
}

std::string inputs_text(const NodeFinding& finding) {
  if (finding.least_input == 0 && finding.greatest_input == 0) return {};
  return fmt::format("; it reads {} to {}", number(finding.least_input),
                     number(finding.greatest_input));
}

std::string reason(const NodeFinding& finding) {
  const auto error = [](const JudgedError& judged) -> std::string {
    if (!judged.error.incomparable.empty()) return "not comparable: " + judged.error.incomparable;
    return fmt::format("relative error {}, {} the noise of {}", number(judged.error.relative()),
                       times(judged.ratio), "the format");
  };
  switch (finding.verdict) {
    case NodeVerdict::kNonFinite: {
      const TensorError& e =
          finding.isolated ? finding.isolated->error : finding.accumulated->error;
      return fmt::format(
          "{} elements are NaN or infinite on one side only, first element {}; "
          "the reference's numbers are {} to {}{}",
          e.non_finite_mismatches, e.first_mismatch, number(e.least_number),
          number(e.largest_number), inputs_text(finding));
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
      return fmt::format("correct alone, but with its {}: {}",
                         counted(finding.neighbourhood.size() - 1, "neighbour"),
                         error(*finding.neighbours));
    case NodeVerdict::kOverflows:
      return fmt::format(
          "its largest number is {}, beyond the limit of {}: {}",
          number(largest_number(*parse_number_format(finding.format)) / finding.headroom),
          finding.format, number(largest_number(*parse_number_format(finding.format))));
    case NodeVerdict::kAmplifier:
      return fmt::format("amplifies an error of its inputs {}", times(finding.amplification));
    case NodeVerdict::kNearOverflow:
      return fmt::format("its numbers are within a factor of {:.3g} of the limit of {}",
                         finding.headroom, finding.format);
    default:
      return finding.note;
  }
}

std::string bar(const std::optional<JudgedError>& judged) {
  if (!judged) return "-";
  if (!judged->error.incomparable.empty()) return "other shape";
  if (judged->error.non_finite_mismatches > 0)
    return fmt::format("{} non-finite", judged->error.non_finite_mismatches);
  const double relative = judged->error.relative();
  if (relative == 0) return "0";
  // One block for each power of ten from 1e-8 on.
  const int length =
      std::clamp(static_cast<int>(std::lround(std::log10(std::max(relative, 1e-8)) + 8)), 0, 10);
  std::string blocks;
  for (int i = 0; i < length; ++i) blocks += "▪";
  return fmt::format("{:<8} {}", number(relative), blocks);
}

std::string remedy_line(const LocateRemedy& remedy, const std::string& format) {
  if (!remedy.agrees) return "No remedy: " + remedy.note;
  if (remedy.nodes.empty())
    return fmt::format("No remedy needed: the outputs are within tolerance in {}", format);
  std::string text = fmt::format(
      "Remedy: with {}{} node(s) in float32 and the rest in {} the outputs "
      "are within tolerance: ",
      remedy.fewest ? "" : "at most ", remedy.nodes.size(), format);
  for (size_t i = 0; i < std::min(kKept, remedy.nodes.size()); ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : ", ", remedy.nodes[i]);
  if (remedy.nodes.size() > kKept) text += fmt::format(" and {} more", remedy.nodes.size() - kKept);
  if (remedy.written_agrees && !*remedy.written_agrees)
    text += fmt::format("; but the outputs of '{}' are not", remedy.written);
  if (!remedy.note.empty()) text += "; " + remedy.note;
  return text;
}

size_t count(const LocateResult& result, NodeVerdict verdict) {
  return static_cast<size_t>(
      std::count_if(result.nodes.begin(), result.nodes.end(),
                    [&](const NodeFinding& finding) { return finding.verdict == verdict; }));
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
  for (const NodeFinding& finding : result.nodes) {
    switch (finding.verdict) {
      case NodeVerdict::kNonFinite:
      case NodeVerdict::kOverflows:
        return std::string(name_of(finding.verdict));
      case NodeVerdict::kGuilty:
      case NodeVerdict::kGuiltyInside:
        return "guilty";
      case NodeVerdict::kAmplifier:
      case NodeVerdict::kVictim:
        return "accumulated";
      case NodeVerdict::kNearOverflow:
      case NodeVerdict::kNoise:
        return "noise";
      case NodeVerdict::kUnknown:
        return "unknown";
      default:
        break;
    }
  }
  return "agree";
}

std::string locate_summary(const LocateResult& result) {
  const std::string verdict = locate_verdict(result);
  std::string text;
  const auto line = [&](const std::string& more) { text += (text.empty() ? "" : "\n") + more; };
  const size_t guilty = count(result, NodeVerdict::kGuilty) +
                        count(result, NodeVerdict::kNonFinite) +
                        count(result, NodeVerdict::kGuiltyInside);
  const size_t overflowing = count(result, NodeVerdict::kOverflows);
  const size_t off = count(result, NodeVerdict::kVictim) + count(result, NodeVerdict::kAmplifier);
  const size_t unknown = count(result, NodeVerdict::kUnknown);
  const std::string format(name_of(result.format));
  if (guilty > 0) {
    line(fmt::format("{} of {} nodes {} guilty{}: {} computes {} with errors above the noise of {}",
                     guilty, result.nodes.size(), guilty == 1 ? "is" : "are",
                     operator_of_all(result), result.target, guilty == 1 ? "it" : "them", format));
  } else if (overflowing > 0) {
    line(fmt::format("{} of {} nodes {} numbers beyond the range of {}", overflowing,
                     result.nodes.size(), overflowing == 1 ? "computes" : "compute", format));
  } else if (unknown > 0 && (off > 0 || !result.off.empty())) {
    line(
        fmt::format("{} results exceed the noise of {}; the guilty node is unknown, since {} of {} "
                    "nodes could not be compared",
                    std::max(off, result.off.size()), format, unknown, result.nodes.size()));
  } else if (off > 0) {
    line(fmt::format("No single node is guilty, but {} {} above the noise of {}: errors accumulate",
                     counted(off, "result"), off == 1 ? "is" : "are", format));
  } else if (verdict == "noise") {
    line(fmt::format("No node is guilty: all errors are within the noise of {}", format));
  } else if (verdict == "unknown") {
    line(fmt::format("Both engines agree on all compared nodes: {} of {}",
                     result.nodes.size() - unknown, result.nodes.size()));
  } else {
    line("Both engines agree on every tensor");
  }
  if (unknown > 0) {
    const auto first = std::find_if(result.nodes.begin(), result.nodes.end(), [](const auto& one) {
      return one.verdict == NodeVerdict::kUnknown;
    });
    line(fmt::format("  {} could not be compared, such as '{}': {}", counted(unknown, "node"),
                     first->node, first->note));
  }
  size_t named = 0;
  for (const NodeFinding& finding : result.nodes) {
    if (named == (result.remedy ? kNamed - 1 : kNamed) || finding.verdict >= NodeVerdict::kVictim)
      break;
    line(fmt::format("  {}: {}: {}", name_of(finding.verdict), place(finding), reason(finding)));
    ++named;
  }
  const size_t standing_out = guilty + overflowing + count(result, NodeVerdict::kAmplifier);
  if (standing_out > named) line(fmt::format("  and {} more", standing_out - named));
  const size_t victims = count(result, NodeVerdict::kVictim);
  if (guilty > 0 && victims > 0) {
    line(fmt::format("  {} {} errors only from {} inputs", counted(victims, "other"),
                     victims == 1 ? "has" : "have", victims == 1 ? "its" : "their"));
  }
  if (named == 0 && verdict == "noise") {
    for (const NodeFinding& finding : result.nodes) {
      if (finding.verdict != NodeVerdict::kNoise || !finding.isolated || named == 3) continue;
      if (finding.isolated->error.relative() == 0) break;
      line(fmt::format("  largest error from {}: relative error {}", place(finding),
                       number(finding.isolated->error.relative())));
      ++named;
    }
  }
  if (const size_t near = count(result, NodeVerdict::kNearOverflow); near > 0 && named == 0)
    line(fmt::format("  {} nodes are within a factor of two of the limit of {}", near, format));
  if (const size_t both = count(result, NodeVerdict::kNonFiniteInBoth); both > 0) {
    const auto first = std::find_if(result.nodes.begin(), result.nodes.end(), [](const auto& one) {
      return one.verdict == NodeVerdict::kNonFiniteInBoth;
    });
    line(fmt::format("  NaNs or infinities inside: {}: {}{}", place(*first), reason(*first),
                     both > 1 ? fmt::format(", and {} more", both - 1) : ""));
  }
  if (result.proof) {
    const LocateProof& proof = *result.proof;
    if (!proof.note.empty()) {
      line("No proof: " + proof.note);
    } else if (proof.agrees) {
      line(fmt::format("Proof: with the reference's results of {} node(s), all outputs agree",
                       proof.replaced.size()));
    } else {
      line(fmt::format(
          "With the reference's results of {} node(s), output '{}' is still off by {} its noise{}",
          proof.replaced.size(), proof.worst_output, times(proof.worst_after),
          proof.next.empty() ? "" : ", first at '" + proof.next.front() + "'"));
    }
  }
  if (result.remedy) line(remedy_line(*result.remedy, format));
  return text;
}

std::string locate_table(const LocateResult& result, size_t rows) {
  std::vector<std::vector<std::string>> lines = {
      {"", "Verdict", "Node", "Operator", "Alone", "In place", "Noise", "Times"}};
  for (size_t i = 0; i < std::min(rows, result.nodes.size()); ++i) {
    const NodeFinding& finding = result.nodes[i];
    const auto& shown = finding.isolated ? finding.isolated : finding.accumulated;
    const bool has_noise = shown && shown->error.reference_norm > 0;
    lines.push_back({std::to_string(i + 1), std::string(name_of(finding.verdict)),
                     finding.graph.empty() ? finding.node : finding.graph + "/" + finding.node,
                     finding.op, bar(finding.isolated), bar(finding.accumulated),
                     has_noise ? number(shown->noise_norm / shown->error.reference_norm) : "-",
                     shown ? number(shown->ratio) : "-"});
  }
  for (auto& line : lines) {
    while (line.back().empty()) line.pop_back();
  }
  const std::vector<std::string> table = table_lines(lines);
  return join(std::span<const std::string>(table), "\n");
}

}  // namespace polygraphy
