#include "polygraphy/models/parts/node_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "base/size_text.h"
#include "graphsurgeon/fold/byte_size.h"
#include "polygraphy/models/parts/part_errors.h"

namespace polygraphy {
namespace {

// The maker and all readers of a value that is not a tensor, such as a sequence, and all nodes on
// the paths between them: this value is not an input of a part.
struct UncutNodes {
  std::string value;
  NodePart nodes;
};

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

// None of the nodes is in two of them, and of two of them at most one reads of the other.
// Types follow from `feed`. O(model).
std::vector<UncutNodes> uncut_nodes(const WholeModel& model, const ValueMap& feed) {
  const auto makers = makers_of_others(model, feed);
  if (makers.empty()) return {};
  Edges edges(model.nodes().size());
  for (size_t i = 0; i < edges.size(); ++i) {
    for (const size_t producer : model.nodes()[i].producers) edges[producer].push_back(i);
    // Back to the maker: nodes between it and a reader belong to both.
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

// The assumed size of a tensor of unknown size.
constexpr uint64_t kUnknownBytes = uint64_t{1} << 20;

// Bytes of each tensor that nodes make, in all samples, and of weights if they count.
std::unordered_map<std::string, uint64_t> sizes_of(const WholeModel& model, const ValueMap& feed,
                                                   const GroupSize& size) {
  const std::vector<std::string> names = model.made();
  const std::vector<uint64_t> bytes = model.bytes_of(names, feed, kUnknownBytes);
  std::unordered_map<std::string, uint64_t> sizes;
  for (size_t i = 0; i < names.size(); ++i)
    sizes[names[i]] = bytes[i] * static_cast<uint64_t>(size.samples);
  return sizes;
}

// Weights that each node reads, with their bytes.
std::vector<std::vector<std::pair<std::string, uint64_t>>> weights_of(const WholeModel& model) {
  std::vector<std::vector<std::pair<std::string, uint64_t>>> weights(model.nodes().size());
  for (size_t i = 0; i < weights.size(); ++i) {
    const graphsurgeon::Node& node = *model.model().graph->nodes()[i];
    for (const graphsurgeon::Tensor* input : node.inputs()) {
      if (!input->is_constant()) continue;
      const int64_t bytes = graphsurgeon::tensor_bytes(*input);
      weights[i].emplace_back(input->name(), bytes < 0 ? kUnknownBytes : bytes);
    }
  }
  return weights;
}

// Nodes that are added to a group together.
struct Unit {
  NodePart nodes;
  std::string uncut = {};  // the value that does not let them be apart; empty: they may be
};

// Each reads only of those before it; of those that may come next, that with the first last node
// does.
std::vector<Unit> ordered_by_readers(const WholeModel& model, std::vector<Unit> units) {
  std::ranges::sort(units, {}, [](const Unit& unit) { return unit.nodes.back(); });
  std::vector<size_t> unit_of(model.nodes().size());
  for (size_t i = 0; i < units.size(); ++i) {
    for (const size_t position : units[i].nodes) unit_of[position] = i;
  }
  std::vector<std::set<size_t>> readers(units.size());
  std::vector<size_t> waits(units.size());  // units that each reads and that are to come
  for (size_t i = 0; i < model.nodes().size(); ++i) {
    for (const size_t producer : model.nodes()[i].producers) {
      const size_t from = unit_of[producer], to = unit_of[i];
      if (from != to && readers[from].insert(to).second) ++waits[to];
    }
  }
  std::set<size_t> ready;
  for (size_t i = 0; i < units.size(); ++i) {
    if (waits[i] == 0) ready.insert(i);
  }
  std::vector<Unit> ordered;
  while (!ready.empty()) {
    const size_t next = *ready.begin();
    ready.erase(ready.begin());
    for (const size_t reader : readers[next]) {
      if (--waits[reader] == 0) ready.insert(reader);
    }
    ordered.push_back(std::move(units[next]));
  }
  return ordered;
}

// The chains in an order in which each reads only of those before it. A chain of which others read
// more than the last result is taken apart, and so is one with a node that is uncut with others.
std::vector<Unit> in_order(const WholeModel& model, const std::vector<NodePart>& chains,
                           const std::vector<UncutNodes>& uncut) {
  std::vector<size_t> chain_of(model.nodes().size());
  for (size_t i = 0; i < chains.size(); ++i) {
    for (const size_t position : chains[i]) chain_of[position] = i;
  }
  std::vector<bool> apart(chains.size());
  for (size_t i = 0; i < model.nodes().size(); ++i) {
    for (const size_t producer : model.nodes()[i].producers) {
      const size_t chain = chain_of[producer];
      if (chain != chain_of[i] && producer != chains[chain].back()) apart[chain] = true;
    }
  }
  std::vector<Unit> units;
  std::unordered_set<size_t> in_uncut;
  for (const UncutNodes& together : uncut) {
    units.push_back({together.nodes, together.value});
    for (const size_t position : together.nodes) {
      in_uncut.insert(position);
      apart[chain_of[position]] = true;
    }
  }
  for (size_t i = 0; i < chains.size(); ++i) {
    if (!apart[i]) {
      units.push_back({chains[i]});
      continue;
    }
    for (const size_t position : chains[i]) {
      if (!in_uncut.contains(position)) units.push_back({{position}});
    }
  }
  return ordered_by_readers(model, std::move(units));
}

class Grouping {
 public:
  Grouping(const WholeModel& model, const ValueMap& feed, const GroupSize& size)
      : model_(model), limit_(size.bytes), sizes_(sizes_of(model, feed, size)) {
    if (size.models) weights_ = weights_of(model);
  }

  // False: it does not fit into the last group, which has others.
  bool add(const NodePart& part, bool splits) {
    std::unordered_map<std::string, uint64_t> fresh;
    uint64_t more = 0;
    const auto count = [&](const std::string& name, uint64_t bytes) {
      if (!inside_.contains(name) && fresh.emplace(name, bytes).second) more += bytes;
    };
    for (const size_t position : part) {
      const NodeFacts& node = model_.nodes()[position];
      for (const auto* names : {&node.reads, &node.makes}) {
        for (const std::string& name : *names) {
          const auto size = sizes_.find(name);
          if (size != sizes_.end()) count(name, size->second);
        }
      }
      if (weights_.empty()) continue;
      for (const auto& [name, bytes] : weights_[position]) count(name, bytes);
    }
    if (splits && total_ + more > limit_) return false;
    for (const auto& [name, bytes] : fresh) inside_.insert(name);
    total_ += more;
    groups_.back().insert(groups_.back().end(), part.begin(), part.end());
    return true;
  }
  void add_somewhere(const Unit& unit) {
    const NodePart& part = unit.nodes;
    if (add(part, !groups_.back().empty() || part.size() > 1)) return;
    if (!groups_.back().empty()) begin_group();
    if (add(part, part.size() > 1)) return;
    if (!unit.uncut.empty()) refuse(unit);
    for (const size_t position : part) {
      if (add({position}, !groups_.back().empty())) continue;
      begin_group();
      add({position}, false);
    }
  }
  std::vector<NodePart> groups() {
    std::erase_if(groups_, [](const NodePart& group) { return group.empty(); });
    for (NodePart& group : groups_) std::ranges::sort(group);
    return std::move(groups_);
  }

 private:
  [[noreturn]] void refuse(const Unit& unit) const {
    throw Error(
        kNotCut,
        fmt::format("The model cannot be cut into parts at '{}', which is not a tensor: the "
                    "{} nodes that make it, read it, or lie between, from '{}' to '{}', do "
                    "not fit into one part of {}",
                    unit.uncut, unit.nodes.size(), model_.nodes()[unit.nodes.front()].name,
                    model_.nodes()[unit.nodes.back()].name,
                    size_text(static_cast<int64_t>(limit_))));
  }

  void begin_group() {
    groups_.emplace_back();
    inside_.clear();
    total_ = 0;
  }

  const WholeModel& model_;
  const uint64_t limit_;
  const std::unordered_map<std::string, uint64_t> sizes_;
  std::vector<std::vector<std::pair<std::string, uint64_t>>> weights_;
  std::vector<NodePart> groups_ = std::vector<NodePart>(1);
  std::unordered_set<std::string> inside_;
  uint64_t total_ = 0;
};

}  // namespace

std::vector<NodePart> node_groups(const WholeModel& model, const std::vector<NodePart>& chains,
                                  const ValueMap& feed, const GroupSize& size) {
  Grouping grouping(model, feed, size);
  std::vector<UncutNodes> uncut;
  if (size.models) uncut = uncut_nodes(model, feed);
  for (const Unit& unit : in_order(model, chains, uncut)) grouping.add_somewhere(unit);
  return grouping.groups();
}

std::vector<NodePart> chains_in(const NodePart& group, const std::vector<NodePart>& chains) {
  const std::unordered_set<size_t> members(group.begin(), group.end());
  std::vector<NodePart> inside;
  for (const NodePart& chain : chains) {
    const bool whole =
        std::ranges::all_of(chain, [&](size_t position) { return members.contains(position); });
    if (chain.size() > 1 && whole) inside.push_back(chain);
  }
  return inside;
}

}  // namespace polygraphy
