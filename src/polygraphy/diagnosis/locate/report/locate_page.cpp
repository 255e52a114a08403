#include "polygraphy/diagnosis/locate/report/locate_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/text.h"
#include "polygraphy/comparison/verdict/runner_names.h"
#include "polygraphy/diagnosis/locate/report/locate_text.h"

namespace polygraphy {
namespace {

constexpr size_t kMarked = 12;  // nodes in the curve
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

ReportMark mark_of(NodeVerdict verdict) {
  if (is_guilty(verdict) || verdict == NodeVerdict::kOverflows) return ReportMark::kBad;
  if (verdict == NodeVerdict::kNonFiniteInBoth || verdict == NodeVerdict::kReferenceDeviates)
    return ReportMark::kUndecided;
  if (verdict < NodeVerdict::kNonFiniteInBoth) return ReportMark::kWarning;
  return verdict == NodeVerdict::kUnknown ? ReportMark::kSkipped : ReportMark::kNone;
}

bool stands_out(const NodeFinding& finding) {
  return mark_of(finding.verdict) == ReportMark::kBad;
}

double relative(const std::optional<JudgedError>& judged) {
  return judged ? judged->error.relative() : kNothing;
}

double noise_of(const std::optional<JudgedError>& judged) {
  if (!judged || judged->error.reference_norm == 0) return kNothing;
  return judged->noise_norm / judged->error.reference_norm;
}

ReportTable::Cell cell(double value) {
  if (std::isnan(value)) return std::monostate();
  return value;
}

ReportVerdict verdict_section(const LocateResult& result) {
  const std::string text = locate_summary(result);
  ReportVerdict verdict;
  for (const std::string_view line : split_lines(text)) {
    if (verdict.headline.empty()) {
      verdict.headline = line;
    } else {
      verdict.lines.emplace_back(line);
    }
  }
  const std::string name = locate_verdict(result);
  const bool partly = !result.nodes.empty() && result.nodes.back().verdict == NodeVerdict::kUnknown;
  const bool coarse = result.verdict.agreement == Agreement::kTooCoarse;
  const bool doubtful = name == "accumulated" || partly || result.guilty() || coarse;
  verdict.mark = doubtful ? ReportMark::kWarning : ReportMark::kGood;
  if (!result.clean()) verdict.mark = coarse ? ReportMark::kUndecided : ReportMark::kBad;
  if (result.compared_nothing() || (result.compared_nodes_only() && result.clean()))
    verdict.mark = ReportMark::kSkipped;
  return verdict;
}

ReportFigures figures_section(const LocateResult& result) {
  const auto count = [&](auto&& fits) {
    return std::to_string(std::count_if(result.nodes.begin(), result.nodes.end(), fits));
  };
  ReportFigures figures;
  figures.figures.emplace_back("Reference", std::string(without_time(result.reference)));
  figures.figures.emplace_back("Target", std::string(without_time(result.target)));
  figures.figures.emplace_back("Precision", std::string(name_of(result.format)));
  figures.figures.emplace_back("Samples", std::to_string(result.samples));
  figures.figures.emplace_back("Nodes", std::to_string(result.nodes.size()));
  figures.figures.emplace_back(
      "Guilty", count([](const NodeFinding& one) { return is_guilty(one.verdict); }));
  figures.figures.emplace_back("Errors from their inputs only", count([](const NodeFinding& one) {
                                 return one.verdict == NodeVerdict::kVictim ||
                                        one.verdict == NodeVerdict::kAmplifier;
                               }));
  return figures;
}

ReportCurve curve_section(const LocateResult& result) {
  ReportCurve curve{.title = "Errors along the model",
                    .x_name = "nodes, in the order of data",
                    .y_name = "relative error"};
  ReportCurve::Series in_place{"in place", {}}, alone{"alone, on the reference's inputs", {}},
      neighbours{"with its fused neighbours", {}};
  curve.band_name = "noise of the precision";
  std::vector<std::optional<size_t>> place_of;  // by position
  for (const NodeFinding& finding : result.in_order) {
    place_of.resize(std::max(place_of.size(), finding.position + 1));
    // Constants would take up most of some models.
    if (finding.reads.empty() && !stands_out(finding)) continue;
    place_of[finding.position] = curve.places.size();
    curve.places.push_back(finding.node + " (" + finding.op + ")");
    in_place.values.push_back(relative(finding.accumulated));
    alone.values.push_back(relative(finding.isolated));
    neighbours.values.push_back(relative(finding.neighbours));
    curve.band.push_back(noise_of(finding.accumulated));
  }
  for (const NodeFinding& finding : result.nodes) {
    if (!stands_out(finding) || curve.marked.size() == kMarked) break;
    if (finding.graph.empty() && finding.position < place_of.size() && place_of[finding.position])
      curve.marked.push_back({*place_of[finding.position], finding.node});
  }
  curve.series = {std::move(in_place), std::move(alone)};
  const bool any = std::any_of(neighbours.values.begin(), neighbours.values.end(),
                               [](double value) { return !std::isnan(value); });
  if (any) curve.series.push_back(std::move(neighbours));
  return curve;
}

std::vector<ReportTable::Column> node_columns() {
  return {{"Rank", true, "Worst first"},
          {"Verdict", false, {}},
          {"Node", false, {}},
          {"Operator", false, {}},
          {"Place", true, "In the order of data"},
          {"Alone", true, "Relative error on the reference's inputs"},
          {"Times noise", true, "That error / the noise of the precision"},
          {"In place", true, "Relative error on the target's own inputs"},
          {"Times noise, in place", true, "That error / the noise of the precision"},
          {"Times noise, by element", true,
           "Errors in place of single numbers / their own noise: small numbers beside large ones"},
          {"Noise, in place", true, "Relative error of the precision's noise there"},
          {"With neighbours", true, "Relative error with its fused neighbours"},
          {"Amplification", true, "Relative error in place / relative error of its inputs"},
          {"Largest difference", true, "In place"},
          {"ULPs", true, "Largest difference in place, in steps of the format"},
          {"Cosine", true, "In place"},
          {"SNR", true, "In place, in decibels"},
          {"Headroom", true, "Largest number of the format / largest number here"},
          {"Least input", true, "Of its inputs, on the reference"},
          {"Greatest input", true, "Of its inputs, on the reference"},
          {"Format", false, {}},
          {"Tensor", false, {}},
          {"Module", false, "Of the framework, if the exporter recorded it"},
          {"Note", false, {}}};
}

ReportTable::Row node_row(const NodeFinding& finding, double rank) {
  const auto& in_place = finding.accumulated;
  const auto of = [&](auto figure) {
    return in_place ? cell(figure(in_place->error)) : cell(kNothing);
  };
  return {.cells = {rank,
                    std::string(name_of(finding.verdict)),
                    finding.graph.empty() ? finding.node : finding.graph + "/" + finding.node,
                    finding.op,
                    static_cast<double>(finding.position),
                    cell(relative(finding.isolated)),
                    finding.isolated ? cell(finding.isolated->ratio) : cell(kNothing),
                    cell(relative(in_place)),
                    in_place ? cell(in_place->ratio) : cell(kNothing),
                    in_place ? cell(in_place->by_element) : cell(kNothing),
                    cell(noise_of(in_place)),
                    cell(relative(finding.neighbours)),
                    finding.amplification > 0 ? cell(finding.amplification) : cell(kNothing),
                    of([](const TensorError& error) { return error.largest; }),
                    of([](const TensorError& error) { return error.ulps; }),
                    of([](const TensorError& error) { return error.cosine(); }),
                    of([](const TensorError& error) { return error.snr(); }),
                    finding.headroom > 0 ? cell(finding.headroom) : cell(kNothing),
                    cell(finding.least_input),
                    cell(finding.greatest_input),
                    finding.format,
                    finding.tensor,
                    finding.module,
                    finding.wrong_weight.empty() ? finding.note : finding.wrong_weight},
          .mark = mark_of(finding.verdict)};
}

ReportTable nodes_section(const LocateResult& result) {
  ReportTable table{.title = "All nodes",
                    .columns = node_columns(),
                    .cases = ReportTable::Cases{.name = {"Node", "Operator"}, .outcome = "Verdict"},
                    .nodes = ReportTable::Nodes{
                        .keys = {"Node", "Tensor"},
                        .figures = {"Times noise", "Alone", "In place", "Times noise, in place",
                                    "Amplification", "Headroom"}}};
  double rank = 0;
  for (const NodeFinding& finding : result.nodes) table.rows.push_back(node_row(finding, ++rank));
  return table;
}

ReportTable elements_section(const LocateResult& result) {
  ReportTable table{.title = "Worst elements",
                    .columns = {{"Node", false, {}},
                                {"How", false, {}},
                                {"Element", true, "In C order"},
                                {"Reference", true, {}},
                                {"Target", true, {}},
                                {"Difference", true, {}},
                                {"Elements", true, {}},
                                {"NaNs or infinities on one side", true, {}}}};
  for (const NodeFinding& finding : result.nodes) {
    if (!stands_out(finding)) continue;
    for (const auto& [how, judged] :
         {std::pair("alone", &finding.isolated), std::pair("in place", &finding.accumulated)}) {
      if (!*judged) continue;
      const TensorError& error = (*judged)->error;
      const bool torn = error.worst < 0;
      if (torn && error.first_mismatch < 0) continue;
      table.rows.push_back(
          {.cells = {finding.node, std::string(how),
                     static_cast<double>(torn ? error.first_mismatch : error.worst),
                     torn ? cell(kNothing) : cell(error.worst_reference),
                     torn ? cell(kNothing) : cell(error.worst_observed),
                     torn ? cell(kNothing) : cell(error.largest),
                     static_cast<double>(error.elements),
                     static_cast<double>(error.non_finite_mismatches)}});
    }
  }
  return table;
}

// Of error / noise, in powers of ten.
ReportHistogram ratios_section(const LocateResult& result) {
  constexpr int kLeast = -4, kBins = 24;  // four to a power of ten
  ReportHistogram histogram{
      .title = "Errors in multiples of their noise",
      .x_name = "error / noise; the outer bins contain all larger or smaller values",
      .edges = {},
      .series = {{"alone", std::vector<double>(kBins, 0)},
                 {"in place", std::vector<double>(kBins, 0)}}};
  for (int i = 0; i <= kBins; ++i) histogram.edges.push_back(std::pow(10.0, kLeast + i / 4.0));
  for (const NodeFinding& finding : result.nodes) {
    const std::optional<JudgedError>* both[] = {&finding.isolated, &finding.accumulated};
    for (size_t i = 0; i < 2; ++i) {
      if (!*both[i] || (*both[i])->ratio <= 0) continue;
      const double place = (std::log10((*both[i])->ratio) - kLeast) * 4;
      const auto bin = static_cast<size_t>(std::clamp(place, 0.0, kBins - 1.0));
      histogram.series[i].counts[bin] += 1;
    }
  }
  return histogram;
}

}  // namespace

std::vector<ReportSection> locate_sections(const LocateResult& result) {
  std::vector<ReportSection> sections;
  sections.emplace_back(verdict_section(result));
  sections.emplace_back(figures_section(result));
  sections.emplace_back(curve_section(result));
  if (ReportTable elements = elements_section(result); !elements.rows.empty())
    sections.emplace_back(std::move(elements));
  sections.emplace_back(nodes_section(result));
  sections.emplace_back(ratios_section(result));
  if (result.remedy && !result.remedy->nodes.empty())
    sections.emplace_back(ReportNotes{"Nodes to compute in float32", result.remedy->nodes});
  if (!result.notes.empty()) sections.emplace_back(ReportNotes{"Notes", result.notes});
  return sections;
}

}  // namespace polygraphy
