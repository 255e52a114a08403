#include "polygraphy/diagnosis/locate/node_findings.h"

#include <algorithm>
#include <string>

#include "graphsurgeon/operators/operator_facts.h"

namespace polygraphy {
namespace {

double badness(const TensorMeasurement& measured) {
  double worst = -1;
  for (const auto* judged : {&measured.isolated, &measured.neighbours, &measured.accumulated}) {
    if (*judged) worst = std::max(worst, (*judged)->ratio);
  }
  return worst;
}

// The relative error of the inputs that is largest; 0: they have none.
double error_of_inputs(const NodeFacts& node, const Measurements& measurements) {
  double error = 0;
  for (const std::string& name : node.reads) {
    each_measurement(measurements, name, [&](const auto&, const TensorMeasurement& measured) {
      error = std::max(error, measured.accumulated_relative);
    });
  }
  return error;
}

void add_ranges(const NodeFacts& node, const Measurements& measurements, NodeFinding& finding) {
  NumberRange inputs;
  for (const std::string& name : node.reads) {
    const auto found = measurements.find(name);
    if (found == measurements.end()) continue;
    const NumberRange& range = found->second.range;
    finding.finite_inputs &= range.non_finite == 0;
    if (range.empty) continue;
    inputs.least = inputs.empty ? range.least : std::min(inputs.least, range.least);
    inputs.greatest = inputs.empty ? range.greatest : std::max(inputs.greatest, range.greatest);
    inputs.empty = false;
  }
  finding.least_input = inputs.least;
  finding.greatest_input = inputs.greatest;
  for (const std::string& name : node.makes) {
    const auto found = measurements.find(name);
    if (found != measurements.end()) finding.finite &= found->second.range.non_finite == 0;
  }
}

}  // namespace

std::vector<NodeFinding> make_findings(const WholeModel& model, const Measurements& measurements,
                                       const std::vector<NodePart>& chains, NumberFormat format) {
  std::vector<NodeFinding> findings;
  const auto& nodes = model.nodes();
  for (size_t i = 0; i < nodes.size(); ++i) {
    const NodeFacts& node = nodes[i];
    NodeFinding finding{.position = i, .node = node.name, .op = node.op, .module = node.module};
    finding.reads = node.reads;
    finding.makes = node.makes;
    finding.moves =
        !node.has_bodies && moves_numbers(*model.model().graph->nodes()[i]);
    add_ranges(node, measurements, finding);
    const TensorMeasurement* worst = nullptr;
    for (const std::string& made : node.makes) {
      each_measurement(measurements, made,
                       [&](const std::string& name, const TensorMeasurement& measured) {
                         if (worst && badness(measured) <= badness(*worst)) return;
                         worst = &measured;
                         finding.tensor = name;
                       });
    }
    if (finding.tensor.empty() && !node.makes.empty()) finding.tensor = node.makes.front();
    if (worst) {
      finding.isolated = worst->isolated;
      finding.neighbours = worst->neighbours;
      finding.accumulated = worst->accumulated;
      finding.sample = worst->isolated && worst->isolated->ratio >= 1 ? worst->isolated_sample
                                                                      : worst->accumulated_sample;
      finding.note = worst->note;
      finding.reference_deviates = worst->reference_deviates;
      if (worst->format) {
        finding.format = name_of(*worst->format);
        if (worst->range.magnitude() > 0)
          finding.headroom = largest_number(*worst->format) / worst->range.magnitude();
      } else {
        finding.format = name_of(format);
      }
      const double before = error_of_inputs(node, measurements);
      if (before > 0) finding.amplification = worst->accumulated_relative / before;
    }
    if (!finding.isolated && !finding.accumulated && finding.note.empty())
      finding.note = node.makes.empty() ? "its results are unused" : "one side lacks its results";
    findings.push_back(std::move(finding));
  }
  for (const NodePart& chain : chains) {
    if (chain.size() < 2) continue;
    std::vector<std::string> names;
    for (const size_t position : chain) names.push_back(nodes[position].name);
    for (const size_t position : chain) findings[position].neighbourhood = names;
  }
  return findings;
}

}  // namespace polygraphy
