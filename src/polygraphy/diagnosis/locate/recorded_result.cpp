#include "polygraphy/diagnosis/locate/recorded_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "polygraphy/diagnosis/locate/judged_outputs.h"
#include "polygraphy/diagnosis/locate/judging/judged_findings.h"
#include "polygraphy/diagnosis/locate/pair_format.h"
#include "polygraphy/models/noise/result_formats.h"

namespace polygraphy {
namespace {

void require_anything(const std::vector<NodeFinding>& findings) {
  const bool any = findings.empty() ||
                   std::any_of(findings.begin(), findings.end(), [](const NodeFinding& finding) {
                     return finding.isolated || finding.accumulated;
                   });
  if (any) return;
  throw Error(kNothingToLocate,
              "No tensor of the model can be compared; '" + findings.front().tensor +
                  "': " + findings.front().note,
              "Saved results must have the names of the model's tensors.");
}

// Notes the first node that the runtime for noise computes in another way than the reference, which
// may be wrong.
void add_reference_note(const LocateJob& job, const WholeModel& model,
                        const Measurements& measurements, LocateResult& result) {
  const auto is_off = [&](size_t position) {
    const auto& makes = model.nodes()[position].makes;
    return std::any_of(makes.begin(), makes.end(), [&](const std::string& name) {
      const auto found = measurements.find(name);
      return found != measurements.end() && found->second.reference_ratio > job.threshold;
    });
  };
  const bool said = std::ranges::any_of(result.in_order, [](const NodeFinding& finding) {
    return finding.verdict == NodeVerdict::kReferenceDeviates;
  });
  for (size_t i = 0; i < model.nodes().size() && !said; ++i) {
    const NodeFacts& node = model.nodes()[i];
    if (!is_off(i) || std::any_of(node.producers.begin(), node.producers.end(), is_off)) continue;
    result.notes.push_back(
        fmt::format("{} computes '{}' ({}) differently from the runtime that computes the noise: "
                    "check which one "
                    "is correct",
                    name_of(job.reference), node.name, node.op));
    return;
  }
}

}  // namespace

LocateResult recorded_result(const LocatedModel& of, const std::vector<NodePart>& chains,
                             const LocateRecord& record) {
  const LocateJob& job = of.run.job;
  LocateResult result{.verdict = verdict_on(of.model, record.outputs),
                      .reference = name_of(job.reference),
                      .target = name_of(job.target),
                      .saved_reference = std::holds_alternative<SavedSide>(job.reference),
                      .format = record.format,
                      .noise = format_text(result_formats(of.model.model()), record.format),
                      .quantization = job.quantization,
                      .samples = record.samples,
                      .outputs = of.model.outputs(),
                      .inlined = of.model.inlined(),
                      .notes = record.notes};
  result.in_order = judged_findings(of.run, of.model, chains, record.measurements);
  require_anything(result.in_order);
  result.off = outputs_off(job, of.model, record.measurements);
  if (record.fusion && !is_explained(result.in_order, result.off))
    add_fusion(*record.fusion, result);
  add_reference_note(job, of.model, record.measurements, result);
  return result;
}

std::vector<std::string> outputs_off(const LocateJob& job, const WholeModel& model,
                                     const Measurements& measurements) {
  std::vector<std::string> off;
  for (const std::string& name : model.outputs()) {
    each_measurement(measurements, name,
                     [&](const std::string& array, const TensorMeasurement& measured) {
                       if (measured.accumulated && measured.accumulated->ratio > job.threshold)
                         off.push_back(array);
                     });
  }
  return off;
}

bool is_explained(const std::vector<NodeFinding>& findings, const std::vector<std::string>& off) {
  return !off.empty() || std::ranges::any_of(findings, [](const NodeFinding& one) {
    return is_guilty(one.verdict) || one.reference_deviates;
  });
}

void add_fusion(LocateFusion found, LocateResult& result) {
  const LocateFusion& fusion = result.fusion.emplace(std::move(found));
  for (const std::string& tensor : fusion.tensors) {
    for (NodeFinding& node : result.in_order) {
      const auto has = [&](const std::vector<std::string>& names) {
        return std::ranges::find(names, tensor) != names.end();
      };
      if (!has(node.makes) && !has(node.reads)) continue;
      node.verdict = NodeVerdict::kGuiltyFused;
      node.note = fmt::format("the difference vanishes if '{}' is an output, too", tensor);
    }
  }
  for (NodeFinding& node : result.in_order) {
    if (std::ranges::find(node.makes, fusion.first_off) == node.makes.end()) continue;
    node.verdict = NodeVerdict::kGuiltyFused;
    node.note = fmt::format("right alone, but in the model '{}' is the first tensor that is off",
                            fusion.first_off);
  }
}

}  // namespace polygraphy
