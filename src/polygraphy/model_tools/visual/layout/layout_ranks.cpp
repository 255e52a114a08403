#include "polygraphy/model_tools/visual/layout/layout_ranks.h"

#include <algorithm>
#include <limits>

namespace polygraphy {
namespace {

constexpr size_t kNone = std::numeric_limits<size_t>::max();

struct Graph {
  std::vector<std::vector<size_t>> readers, sources;
};

Graph graph_of(size_t nodes, std::span<const LayoutEdge> edges) {
  Graph graph;
  graph.readers.resize(nodes);
  graph.sources.resize(nodes);
  for (const LayoutEdge& edge : edges) {
    if (edge.from == edge.to) continue;
    graph.readers[edge.from].push_back(edge.to);
    graph.sources[edge.to].push_back(edge.from);
  }
  return graph;
}

// Topological; a cycle is entered at its first node.
std::vector<size_t> order_of(const Graph& graph) {
  const size_t count = graph.readers.size();
  std::vector<size_t> waits_for(count), order;
  std::vector<bool> taken(count);
  const auto take = [&](size_t node) {
    taken[node] = true;
    order.push_back(node);
  };
  for (size_t node = 0; node < count; ++node) waits_for[node] = graph.sources[node].size();
  for (size_t node = 0; node < count; ++node) {
    if (waits_for[node] == 0) take(node);
  }
  size_t first = 0;
  for (size_t next = 0; next < count; ++next) {
    if (next == order.size()) {
      while (taken[first]) ++first;
      take(first);
    }
    for (const size_t reader : graph.readers[order[next]]) {
      if (--waits_for[reader] == 0 && !taken[reader]) take(reader);
    }
  }
  return order;
}

}  // namespace

std::vector<bool> dependents(size_t nodes, std::span<const LayoutEdge> edges,
                             std::span<const size_t> inputs) {
  const Graph graph = graph_of(nodes, edges);
  std::vector<bool> found(nodes, inputs.empty());
  std::vector<size_t> todo(inputs.begin(), inputs.end());
  while (!todo.empty()) {
    const size_t node = todo.back();
    todo.pop_back();
    if (found[node]) continue;
    found[node] = true;
    todo.insert(todo.end(), graph.readers[node].begin(), graph.readers[node].end());
  }
  return found;
}

std::vector<size_t> layout_ranks(size_t nodes, std::span<const LayoutEdge> edges,
                                 const std::vector<bool>& depends) {
  const Graph graph = graph_of(nodes, edges);
  const std::vector<size_t> order = order_of(graph);
  std::vector<size_t> ranks(nodes, kNone);
  for (const size_t node : order) {
    size_t rank = 0;
    for (const size_t source : graph.sources[node]) {
      if (ranks[source] != kNone) rank = std::max(rank, ranks[source] + 1);
    }
    ranks[node] = rank;
  }
  // Down to the first reader: constants and nodes that depend on no input, so that they stand
  // beside their reader; others where that makes no more edges longer than shorter.
  for (auto node = order.rbegin(); node != order.rend(); ++node) {
    if (depends[*node] && graph.sources[*node].size() > graph.readers[*node].size()) continue;
    size_t first_reader = kNone;
    for (const size_t reader : graph.readers[*node]) {
      if (ranks[reader] > ranks[*node]) first_reader = std::min(first_reader, ranks[reader]);
    }
    if (first_reader != kNone) ranks[*node] = first_reader - 1;
  }
  return ranks;
}

}  // namespace polygraphy
