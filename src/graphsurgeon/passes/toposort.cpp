#include "graphsurgeon/passes/toposort.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/nested_graphs.h"

namespace graphsurgeon {

namespace {

// The dependencies of each item of a list: positions, in the order of the visit.
class Dependencies {
 public:
  explicit Dependencies(size_t count) { begins_.reserve(count + 1); }
  size_t size() const { return begins_.size(); }
  void next() { begins_.push_back(static_cast<uint32_t>(items_.size())); }
  void add(size_t item) { items_.push_back(static_cast<uint32_t>(item)); }
  size_t begin(size_t i) const { return begins_[i]; }
  size_t end(size_t i) const { return i + 1 < begins_.size() ? begins_[i + 1] : items_.size(); }
  uint32_t operator[](size_t k) const { return items_[k]; }

 private:
  std::vector<uint32_t> begins_, items_;
};

struct Order {
  std::vector<uint32_t> positions;  // old ones, in the new order
  std::vector<uint32_t> cycle;      // if not empty: each waits for the next, the last for the first
  bool changed = false;
  std::unordered_set<uint32_t> repeated;  // positions of nodes that are listed before
};

Order sort_by_level(const Dependencies& dependencies) {
  constexpr uint32_t kUnseen = std::numeric_limits<uint32_t>::max();
  constexpr uint32_t kActive = kUnseen - 1;
  struct Frame {
    uint32_t item;
    size_t next;  // dependency
    uint32_t level;
  };
  Order order;
  const size_t count = dependencies.size();
  std::vector<uint32_t> levels(count, kUnseen);
  std::vector<uint32_t> resolved;  // producers first, depth first over the old list
  resolved.reserve(count);
  std::vector<Frame> path;
  uint32_t highest = 0;
  const auto enter = [&](uint32_t item) {
    levels[item] = kActive;
    path.push_back({item, dependencies.begin(item), 0});
  };
  for (uint32_t first = 0; first < count; ++first) {
    if (levels[first] != kUnseen) continue;
    enter(first);
    while (!path.empty()) {
      Frame& frame = path.back();
      if (frame.next < dependencies.end(frame.item)) {
        const uint32_t needed = dependencies[frame.next];
        if (levels[needed] == kUnseen) {
          enter(needed);  // and look at the same dependency again
          continue;
        }
        if (levels[needed] == kActive) {
          auto from = path.end();
          while ((--from)->item != needed) {
          }
          for (; from != path.end(); ++from) order.cycle.push_back(from->item);
          return order;
        }
        frame.level = std::max(frame.level, levels[needed] + 1);
        ++frame.next;
        continue;
      }
      levels[frame.item] = frame.level;
      highest = std::max(highest, frame.level);
      resolved.push_back(frame.item);
      path.pop_back();
    }
  }
  std::vector<uint32_t> places(size_t{highest} + 2, 0);
  for (const uint32_t item : resolved) ++places[levels[item] + 1];
  for (size_t level = 1; level < places.size(); ++level) places[level] += places[level - 1];
  order.positions.resize(count);
  for (const uint32_t item : resolved) order.positions[places[levels[item]]++] = item;
  for (size_t i = 0; i < count && !order.changed; ++i) order.changed = order.positions[i] != i;
  return order;
}

// The members of a cycle in the order of the data: "'a' -> 'b' -> 'a'".
template <typename Name>
std::string cycle_text(const std::vector<uint32_t>& cycle, Name name) {
  constexpr size_t kShown = 20;
  std::string text;
  const size_t shown = std::min(cycle.size(), kShown);
  for (size_t i = 0; i < shown; ++i) text += name(cycle[cycle.size() - 1 - i]) + " -> ";
  if (shown < cycle.size()) text += fmt::format("... {} more -> ", cycle.size() - shown);
  return text + name(cycle.back());
}

std::string described(const Graph& graph) {
  return graph.name().empty() ? "the graph" : fmt::format("graph '{}'", graph.name());
}

Dependencies dependencies_of(const Graph& graph, const Captures& captures,
                             std::unordered_set<uint32_t>& repeated) {
  const NodeIndex index(graph);
  LocalNames names(graph);
  Dependencies dependencies(graph.nodes().size());
  const auto add_producers = [&](const Tensor& tensor) {
    for (const Node* producer : tensor.producers()) {
      if (const auto at = index.find(*producer)) dependencies.add(*at);
    }
  };
  const auto add = [&](const Tensor& tensor) {
    add_producers(tensor);
    if (const Tensor* same = names.find(tensor)) add_producers(*same);
  };
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = *graph.nodes()[i];
    dependencies.next();
    if (index.find(node) != i) {
      repeated.insert(static_cast<uint32_t>(i));
      continue;
    }
    for (const Tensor* tensor : node.inputs()) add(*tensor);
    captures.for_each(node, add);
  }
  return dependencies;
}

Order order_of(const Graph& graph, const Captures& captures) {
  std::unordered_set<uint32_t> repeated;
  Order order = sort_by_level(dependencies_of(graph, captures, repeated));
  order.repeated = std::move(repeated);
  if (!order.cycle.empty()) {
    const auto name = [&](uint32_t i) {
      const Node& node = *graph.nodes()[i];
      return node.name().empty() ? fmt::format("node {} ({})", i, node.op())
                                 : fmt::format("'{}' ({})", node.name(), node.op());
    };
    throw polygraphy::Error(
        fmt::format("{} has a cycle of {} node{}: {}", described(graph), order.cycle.size(),
                    order.cycle.size() == 1 ? "" : "s", cycle_text(order.cycle, name)),
        "Check for tensors with the same name.");
  }
  return order;
}

class Sorter {
 public:
  // Graphs are sorted on paper first, so that a cycle somewhere changes nothing.
  void add(Graph& root, bool with_subgraphs) {
    Captures captures;
    for (Graph* graph : inner_graphs_first(root)) {
      const bool sorts = graph == &root || with_subgraphs;
      if (sorts) orders_.emplace_back(graph, order_of(*graph, captures));
      if (graph == &root) continue;
      captures.add(*graph, sorts ? std::span<const uint32_t>(orders_.back().second.positions)
                                 : std::span<const uint32_t>());
    }
  }

  void apply() {
    for (auto& [graph, order] : orders_) {
      if (!order.changed && order.repeated.empty()) continue;
      std::vector<NodeRef>& nodes = graph->mutable_nodes();
      std::vector<NodeRef> sorted;
      sorted.reserve(nodes.size());
      for (const uint32_t position : order.positions) {
        if (!order.repeated.contains(position)) sorted.push_back(nodes[position]);
      }
      nodes = std::move(sorted);
    }
  }

 private:
  std::vector<std::pair<Graph*, Order>> orders_;
};

// --- functions

void sort_functions(std::vector<FunctionRef>& functions) {
  std::unordered_map<std::string, size_t> positions;
  for (size_t i = 0; i < functions.size(); ++i) {
    const Function& f = *functions[i];
    positions.try_emplace(function_id(f.domain(), f.name(), f.overload()), i);
  }
  Dependencies dependencies(functions.size());
  for (const FunctionRef& function : functions) {
    dependencies.next();
    for (const Graph* graph : inner_graphs_first(*function)) {
      for (const NodeRef& node : graph->nodes()) {
        const auto callee =
            positions.find(function_id(node->domain(), node->op(), node->overload()));
        if (callee != positions.end()) dependencies.add(callee->second);
      }
    }
  }
  const Order order = sort_by_level(dependencies);
  if (!order.cycle.empty()) {
    const auto name = [&](uint32_t i) {
      return fmt::format("'{}:{}'", functions[i]->domain(), functions[i]->name());
    };
    // Callers before callees: as one reads calls.
    std::vector<uint32_t> cycle(order.cycle.rbegin(), order.cycle.rend());
    throw polygraphy::Error(fmt::format("functions of the model call each other in a cycle: {}",
                                        cycle_text(cycle, name)),
                            "ONNX functions cannot be recursive.");
  }
  if (!order.changed) return;
  std::vector<FunctionRef> sorted;
  sorted.reserve(functions.size());
  for (const uint32_t position : order.positions) sorted.push_back(functions[position]);
  functions = std::move(sorted);
}

}  // namespace

void toposort(Model& model, const ToposortOptions& options) {
  if (options.mode != ToposortMode::kFunctions) {
    Sorter sorter;
    if (options.recurse_functions) {
      for (const FunctionRef& f : model.functions) sorter.add(*f, options.recurse_subgraphs);
    }
    if (model.graph) sorter.add(*model.graph, options.recurse_subgraphs);
    if (options.mode == ToposortMode::kFull) sort_functions(model.functions);
    sorter.apply();
    return;
  }
  sort_functions(model.functions);
}

void toposort(Graph& graph, const ToposortOptions& options) {
  if (options.mode == ToposortMode::kFunctions) return;
  Sorter sorter;
  sorter.add(graph, options.recurse_subgraphs);
  sorter.apply();
}

bool is_sorted(const Graph& graph) {
  std::unordered_set<const Node*> done;
  for (const NodeRef& outer : graph.nodes()) {
    // The node and those nested in it, which may use each other in any order.
    std::vector<const Node*> nodes = {outer.get()};
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!nodes[i]->has_subgraphs()) continue;
      for (const GraphRef& inner : nodes[i]->subgraphs()) {
        for (const NodeRef& node : inner->nodes()) nodes.push_back(node.get());
      }
    }
    done.insert(nodes.begin() + 1, nodes.end());
    for (const Node* node : nodes) {
      for (const Tensor* input : node->inputs()) {
        for (const Node* producer : input->producers()) {
          if (!done.contains(producer)) return false;
        }
      }
    }
    done.insert(outer.get());
  }
  return true;
}

}  // namespace graphsurgeon
