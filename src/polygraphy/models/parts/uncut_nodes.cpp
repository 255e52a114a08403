#include "polygraphy/models/parts/uncut_nodes.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace polygraphy {
namespace {

// Positions of nodes, both included.
struct Range {
  std::string value;
  size_t first, last;
};

std::unordered_set<std::string> other_than_tensors(const WholeModel& model, const ValueMap& feed) {
  const graphsurgeon::Model sized = model.sized_for(feed);
  std::unordered_set<std::string> names;
  for (const auto& node : sized.graph->nodes()) {
    for (const graphsurgeon::Tensor* output : node->outputs()) {
      if (output->type_kind() != graphsurgeon::TypeKind::kTensor) names.emplace(output->name());
    }
  }
  return names;
}

// From the maker of each value to its last reader, in the order of makers.
std::vector<Range> ranges_of(const WholeModel& model,
                             const std::unordered_set<std::string>& names) {
  std::vector<Range> ranges;
  std::unordered_map<std::string, size_t> range_of;
  for (size_t i = 0; i < model.nodes().size(); ++i) {
    const NodeFacts& node = model.nodes()[i];
    for (const std::string& name : node.reads) {
      if (const auto known = range_of.find(name); known != range_of.end())
        ranges[known->second].last = i;
    }
    for (const std::string& name : node.makes) {
      if (!names.contains(name)) continue;
      range_of.emplace(name, ranges.size());
      ranges.push_back({name, i, i});
    }
  }
  return ranges;
}

}  // namespace

std::vector<UncutNodes> uncut_nodes(const WholeModel& model, const ValueMap& feed) {
  std::vector<Range> whole;
  for (const Range& range : ranges_of(model, other_than_tensors(model, feed))) {
    if (!whole.empty() && range.first <= whole.back().last) {
      whole.back().last = std::max(whole.back().last, range.last);
    } else {
      whole.push_back(range);
    }
  }
  std::vector<UncutNodes> uncut;
  for (const Range& range : whole) {
    NodePart nodes(range.last - range.first + 1);
    std::iota(nodes.begin(), nodes.end(), range.first);
    uncut.push_back({range.value, std::move(nodes)});
  }
  return uncut;
}

}  // namespace polygraphy
