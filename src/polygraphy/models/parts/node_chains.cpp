#include "polygraphy/models/parts/node_chains.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/operators/operator_facts.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::LayerKind;
using graphsurgeon::Node;
using graphsurgeon::NodeIndex;
using graphsurgeon::Tensor;

constexpr size_t kLongest = 8;  // nodes of a part

bool multiplies(const Node& node) {
  const LayerKind layer = facts_of(node).layer;
  return layer != LayerKind::kNone && layer != LayerKind::kNormalization;
}

class Chains {
 public:
  explicit Chains(const Graph& graph) : index_(graph) {
    for (const auto& output : graph.outputs()) returned_.insert(output.get());
    part_of_.resize(graph.nodes().size());
    for (size_t i = 0; i < graph.nodes().size(); ++i) place(*graph.nodes()[i], i);
    std::erase_if(parts_, [](const NodePart& part) { return part.empty(); });
    for (NodePart& part : parts_) std::sort(part.begin(), part.end());
    std::sort(parts_.begin(), parts_.end());
  }

  std::vector<NodePart> take() { return std::move(parts_); }

 private:
  // The node before this one, if its only result goes to this one alone.
  std::optional<size_t> before(const Tensor& input, const Node& node) const {
    const Node* producer = input.producer();
    if (!producer || returned_.contains(&input) || input.consumers().size() != 1) return {};
    if (input.consumers().front() != &node || producer->outputs().size() != 1) return {};
    if (producer->has_subgraphs()) return {};
    return index_.find(*producer);
  }

  void place(const Node& node, size_t position) {
    std::optional<size_t> home;
    if (!node.has_subgraphs()) {
      const bool heavy = multiplies(node);
      for (const Tensor* input : node.inputs()) {
        const auto producer = input->is_empty() ? std::nullopt : before(*input, node);
        if (!producer) continue;
        const bool dequantizes = input->producer()->op() == "DequantizeLinear";
        const size_t part = part_of_[*producer];
        if (heavy ? !dequantizes : home && !dequantizes) continue;
        if (!home) {
          if (parts_[part].size() >= kLongest) continue;
          home = part;
        } else if (*home != part && parts_[part].size() + parts_[*home].size() < kLongest) {
          for (const size_t other : parts_[part]) part_of_[other] = *home;
          parts_[*home].insert(parts_[*home].end(), parts_[part].begin(), parts_[part].end());
          parts_[part].clear();
        }
      }
    }
    if (!home) {
      home = parts_.size();
      parts_.emplace_back();
    }
    part_of_[position] = *home;
    parts_[*home].push_back(position);
  }

  const NodeIndex index_;
  std::unordered_set<const Tensor*> returned_;
  std::vector<size_t> part_of_;
  std::vector<NodePart> parts_;
};

}  // namespace

std::vector<NodePart> node_chains(const Graph& graph) {
  return Chains(graph).take();
}

}  // namespace polygraphy
