#include "polygraphy/models/parts/uncut_nodes.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace polygraphy {
namespace {

using Edges = std::vector<std::vector<size_t>>;  // from each node to others

// Makers of values that are not tensors, by the value.
std::unordered_map<std::string, size_t> makers_of_others(const WholeModel& model,
                                                         const ValueMap& feed) {
  const graphsurgeon::Model sized = model.sized_for(feed);
  std::unordered_map<std::string, size_t> makers;
  for (size_t i = 0; i < model.nodes().size(); ++i) {
    for (const graphsurgeon::Tensor* output : sized.graph->nodes()[i]->outputs()) {
      if (output->type_kind() != graphsurgeon::TypeKind::kTensor) makers.emplace(output->name(), i);
    }
  }
  return makers;
}

// The sets of nodes that reach each other, each in ascending order.
class MutualReach {
 public:
  explicit MutualReach(const Edges& edges)
      : edges_(edges), number_(edges.size(), kNew), lowest_(edges.size()), open_(edges.size()) {
    for (size_t node = 0; node < edges.size(); ++node) {
      if (number_[node] == kNew) visit(node);
    }
  }

  std::vector<NodePart> sets() { return std::move(sets_); }

 private:
  struct Step {
    size_t node, edge;
  };
  static constexpr size_t kNew = std::numeric_limits<size_t>::max();

  // In depth, without recursion.
  void visit(size_t root) {
    std::vector<Step> path;
    enter(root, path);
    while (!path.empty()) {
      auto& [node, edge] = path.back();
      if (edge < edges_[node].size()) {
        const size_t to = edges_[node][edge++];
        if (number_[to] == kNew) {
          enter(to, path);
        } else if (open_[to]) {
          lowest_[node] = std::min(lowest_[node], number_[to]);
        }
        continue;
      }
      const size_t done = node;
      path.pop_back();
      if (!path.empty())
        lowest_[path.back().node] = std::min(lowest_[path.back().node], lowest_[done]);
      if (lowest_[done] == number_[done]) close(done);
    }
  }

  void enter(size_t node, std::vector<Step>& path) {
    number_[node] = lowest_[node] = count_++;
    open_[node] = true;
    left_.push_back(node);
    path.push_back({node, 0});
  }

  // The set that was entered at this node.
  void close(size_t first) {
    NodePart set;
    do {
      set.push_back(left_.back());
      open_[left_.back()] = false;
      left_.pop_back();
    } while (set.back() != first);
    std::ranges::sort(set);
    sets_.push_back(std::move(set));
  }

  const Edges& edges_;
  std::vector<size_t> number_, lowest_;  // of entries; the lowest that a node reaches
  std::vector<bool> open_;
  std::vector<size_t> left_;  // entered, and in no set yet
  size_t count_ = 0;
  std::vector<NodePart> sets_;
};

}  // namespace

std::vector<UncutNodes> uncut_nodes(const WholeModel& model, const ValueMap& feed) {
  const auto makers = makers_of_others(model, feed);
  if (makers.empty()) return {};
  Edges edges(model.nodes().size());
  for (size_t i = 0; i < edges.size(); ++i) {
    for (const size_t producer : model.nodes()[i].producers) edges[producer].push_back(i);
    // Back to the maker: what lies between it and a reader belongs to both.
    for (const std::string& name : model.nodes()[i].reads) {
      if (const auto maker = makers.find(name); maker != makers.end())
        edges[i].push_back(maker->second);
    }
  }
  std::vector<UncutNodes> uncut;
  for (NodePart& set : MutualReach(edges).sets()) {
    if (set.size() < 2) continue;
    const auto& made = model.nodes()[set.front()].makes;
    const auto value =
        std::ranges::find_if(made, [&](const std::string& name) { return makers.contains(name); });
    uncut.push_back({*value, std::move(set)});
  }
  return uncut;
}

}  // namespace polygraphy
