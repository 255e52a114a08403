#include "polygraphy/diagnosis/locate/judging/judged_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/diagnosis/locate/judging/node_verdict.h"
#include "polygraphy/diagnosis/locate/models/spans.h"
#include "polygraphy/models/noise/unknown_rounding.h"

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

// For every node of the main graph, in order, without verdicts. For a node with several outputs,
// the one with the largest error. O(nodes).
std::vector<NodeFinding> make_findings(const WholeModel& model, const Measurements& measurements,
                                       const std::vector<NodePart>& chains, NumberFormat format) {
  std::vector<NodeFinding> findings;
  const auto& nodes = model.nodes();
  for (size_t i = 0; i < nodes.size(); ++i) {
    const NodeFacts& node = nodes[i];
    NodeFinding finding{.position = i, .node = node.name, .op = node.op, .module = node.module};
    finding.reads = node.reads;
    finding.makes = node.makes;
    finding.moves = !node.has_bodies && moves_numbers(*model.model().graph->nodes()[i]);
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

// Beside a model of the reference:

// Whether a quantiser puts the node beside those of the model: it rounds or scales numbers, or
// computes a constant. Behind DequantizeLinear, numbers are those of the model again.
std::vector<bool> quantizing_nodes(const WholeModel& model) {
  const auto& nodes = model.nodes();
  std::vector<bool> found(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto& facts = facts_of(*model.model().graph->nodes()[i]);
    found[i] = nodes[i].reads.empty() || facts.sums_codes() ||
               facts.movement == graphsurgeon::Movement::kQuantizes ||
               std::ranges::any_of(nodes[i].producers, [&](size_t producer) {
                 return found[producer] && nodes[producer].op != "DequantizeLinear";
               });
  }
  return found;
}

// Of a node that the reference's model lacks, which is judged with a later one.
void run_together(const NodeFinding& later, NodeFinding& own) {
  own.ran_with = later.node;
  own.note = fmt::format("the reference's model lacks it: judged with '{}'", later.node);
}

// Nodes whose results the reference's model does not have, such as those that quantise, say nothing
// about those behind them: these are judged by the nodes before, which replace them in `producers`.
// Their findings say with which node they ran. O(nodes of all spans).
void skip_own_nodes(const ReferenceModel& reference, const WholeModel& model,
                    std::vector<std::vector<size_t>>& producers,
                    std::vector<NodeFinding>& findings) {
  const HasTensor has = [&](const std::string& tensor) { return reference.has(tensor); };
  std::vector<bool> own(model.nodes().size());
  for (size_t i = 0; i < own.size(); ++i)
    own[i] = std::ranges::none_of(model.nodes()[i].makes, has);
  for (size_t i = 0; i < own.size(); ++i) {
    std::set<size_t> before;
    for (const size_t producer : model.nodes()[i].producers) {
      if (own[producer]) {
        before.insert(producers[producer].begin(), producers[producer].end());
      } else {
        before.insert(producer);
      }
    }
    producers[i].assign(before.begin(), before.end());
    if (own[i]) findings[i].note = "the reference's model lacks it";
  }
  for (size_t i = 0; i < own.size(); ++i) {
    if (own[i]) continue;
    for (const size_t node : span_before(model, i, has)) {
      if (!own[node] || !findings[node].ran_with.empty()) continue;
      run_together(findings[i], findings[node]);
    }
  }
}

// Their nodes are guilty, whatever the outputs are.
void blame_wrong_weights(std::vector<WrongWeight> weights, std::vector<NodeFinding>& findings) {
  for (WrongWeight& weight : weights) {
    NodeFinding& finding = findings[weight.position];
    if (!is_guilty(finding.verdict)) finding.verdict = NodeVerdict::kGuilty;
    finding.wrong_weight = std::move(weight.text);
  }
}

// Of a guilty node, without a wrong weight, that ran with nodes which the reference's model lacks,
// other than those that quantise: these are guilty, too, with its figures. They come before it, and
// `ran_with` has its name, though another node that reads them may come first, such as an IsNaN
// that shows nothing. O(nodes of their spans).
void blame_inserted_nodes(const ReferenceModel& reference, const WholeModel& model,
                          std::vector<NodeFinding>& findings) {
  const std::vector<bool> quantizing = quantizing_nodes(model);
  // Rounding errors of its inputs do not move its results.
  const auto shows_nothing = [&](const std::string& name) {
    const auto reader = std::ranges::find(findings, name, &NodeFinding::node);
    return reader != findings.end() && reader->isolated && reader->isolated->noise_norm == 0;
  };
  for (size_t i = 0; i < findings.size(); ++i) {
    const NodeFinding& next = findings[i];
    const bool explained = !next.ran_with.empty() || !next.wrong_weight.empty();
    if (!is_guilty(next.verdict) || explained) continue;
    const NodePart span = span_before(
        model, next.position, [&](const std::string& tensor) { return reference.has(tensor); });
    for (const size_t node : span) {
      NodeFinding& inserted = findings[node];
      if (inserted.ran_with.empty() || is_guilty(inserted.verdict) || quantizing[node]) continue;
      if (inserted.ran_with != next.node && !shows_nothing(inserted.ran_with)) continue;
      run_together(next, inserted);
      inserted.verdict = next.verdict;
      inserted.sample = next.sample;
      inserted.format = next.format;
      inserted.isolated = next.isolated;
      inserted.accumulated = next.accumulated;
    }
  }
}

// Leaves it open whether nodes are guilty of rounding that the noise does not count. O(nodes of
// their spans).
void acquit_of_unknown_rounding(const ReferenceModel& reference, const WholeModel& model,
                                std::vector<NodeFinding>& findings) {
  const auto& nodes = model.model().graph->nodes();
  for (NodeFinding& finding : findings) {
    if (!is_guilty(finding.verdict)) continue;
    const NodePart span = span_before(
        model, finding.position, [&](const std::string& tensor) { return reference.has(tensor); });
    const auto unknown =
        std::ranges::find_if(span, [&](size_t node) { return has_unknown_rounding(*nodes[node]); });
    if (unknown == span.end()) continue;
    finding.verdict = NodeVerdict::kUnknown;
    finding.unknown_rounding = true;
    finding.note = fmt::format("the noise lacks the rounding of '{}' ({})",
                               model.nodes()[*unknown].name, model.nodes()[*unknown].op);
  }
}

}  // namespace

std::vector<NodeFinding> judged_findings(const LocateRun& run, const WholeModel& model,
                                         const std::vector<NodePart>& chains,
                                         const Measurements& measurements) {
  const LocateJob& job = run.job;
  std::vector<NodeFinding> findings = make_findings(
      model, measurements, run.reference_model ? std::vector<NodePart>() : chains, job.format);
  std::vector<std::vector<size_t>> producers;
  for (const NodeFacts& node : model.nodes()) producers.push_back(node.producers);
  if (run.reference_model) skip_own_nodes(*run.reference_model, model, producers, findings);
  judge(findings, producers, {.threshold = job.threshold, .outputs = model.outputs()});
  if (run.reference_model) {
    acquit_of_unknown_rounding(*run.reference_model, model, findings);
    blame_wrong_weights(run.reference_model->wrong_weights(model), findings);
    blame_inserted_nodes(*run.reference_model, model, findings);
  }
  return findings;
}

}  // namespace polygraphy
