#include "polygraphy/diagnosis/locate/judging/two_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/diagnosis/locate/models/spans.h"
#include "polygraphy/models/noise/unknown_rounding.h"

namespace polygraphy {
namespace {

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

}  // namespace

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
      findings[node].ran_with = findings[i].node;
      findings[node].note += ": judged with '" + findings[i].node + "'";
    }
  }
}

void blame_wrong_weights(std::vector<WrongWeight> weights, std::vector<NodeFinding>& findings) {
  for (WrongWeight& weight : weights) {
    NodeFinding& finding = findings[weight.position];
    if (!is_guilty(finding.verdict)) finding.verdict = NodeVerdict::kGuilty;
    finding.wrong_weight = std::move(weight.text);
  }
}

void blame_inserted_nodes(const ReferenceModel& reference, const WholeModel& model,
                          std::vector<NodeFinding>& findings) {
  const std::vector<bool> quantizing = quantizing_nodes(model);
  for (size_t i = 0; i < findings.size(); ++i) {
    const NodeFinding& next = findings[i];
    const bool explained = !next.ran_with.empty() || !next.wrong_weight.empty();
    if (!is_guilty(next.verdict) || explained) continue;
    const NodePart span = span_before(
        model, next.position, [&](const std::string& tensor) { return reference.has(tensor); });
    for (const size_t node : span) {
      NodeFinding& inserted = findings[node];
      if (inserted.ran_with != next.node || quantizing[node]) continue;
      inserted.verdict = next.verdict;
      inserted.sample = next.sample;
      inserted.format = next.format;
      inserted.isolated = next.isolated;
      inserted.accumulated = next.accumulated;
    }
  }
}

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

}  // namespace polygraphy
