#include "polygraphy/diagnosis/locate/models/spans.h"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

namespace polygraphy {

NodePart span_before(const WholeModel& model, size_t position, const HasTensor& has) {
  NodePart span = {position};
  std::unordered_set<size_t> seen = {position};
  for (size_t i = 0; i < span.size(); ++i) {
    for (const size_t producer : model.nodes()[span[i]].producers) {
      const auto& makes = model.nodes()[producer].makes;
      const auto& reads = model.nodes()[span[i]].reads;
      const bool is_read_unknown = std::ranges::any_of(makes, [&](const std::string& name) {
        return !has(name) && std::ranges::find(reads, name) != reads.end();
      });
      if (is_read_unknown && seen.insert(producer).second) span.push_back(producer);
    }
  }
  std::ranges::sort(span);
  return span;
}

NodePart with_spans(const WholeModel& model, const NodePart& positions, const HasTensor& has) {
  std::set<size_t> all(positions.begin(), positions.end());
  for (const size_t position : positions) {
    if (std::ranges::none_of(model.nodes()[position].makes, has)) continue;
    const NodePart span = span_before(model, position, has);
    all.insert(span.begin(), span.end());
  }
  return {all.begin(), all.end()};
}

std::vector<std::vector<NodePart>> span_rounds(const WholeModel& model, const NodePart& positions,
                                               const HasTensor& has) {
  std::vector<std::vector<NodePart>> rounds;
  std::vector<std::unordered_set<size_t>> taken;  // by round
  for (const size_t position : positions) {
    if (std::ranges::none_of(model.nodes()[position].makes, has)) continue;
    NodePart span = span_before(model, position, has);
    size_t round = 0;
    const auto is_free = [&](size_t node) { return !taken[round].contains(node); };
    while (round < rounds.size() && !std::ranges::all_of(span, is_free)) ++round;
    if (round == rounds.size()) rounds.emplace_back(), taken.emplace_back();
    taken[round].insert(span.begin(), span.end());
    rounds[round].push_back(std::move(span));
  }
  return rounds;
}

}  // namespace polygraphy
