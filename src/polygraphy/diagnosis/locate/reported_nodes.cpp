#include "polygraphy/diagnosis/locate/reported_nodes.h"

#include <fmt/format.h>

#include <algorithm>

namespace polygraphy {

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

void blame_fused(const LocateFusion& fusion, std::vector<NodeFinding>& findings) {
  for (const std::string& tensor : fusion.tensors) {
    for (NodeFinding& node : findings) {
      const auto has = [&](const std::vector<std::string>& names) {
        return std::ranges::find(names, tensor) != names.end();
      };
      if (!has(node.makes) && !has(node.reads)) continue;
      node.verdict = NodeVerdict::kGuiltyFused;
      node.note = fmt::format("the difference vanishes if '{}' is an output, too", tensor);
    }
  }
  for (NodeFinding& node : findings) {
    if (std::ranges::find(node.makes, fusion.first_off) == node.makes.end()) continue;
    node.verdict = NodeVerdict::kGuiltyFused;
    node.note = fmt::format(
        "correct alone; in the model, '{}' is the first tensor beyond the limit", fusion.first_off);
  }
}

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

}  // namespace polygraphy
