// Where the nodes of a directed graph are drawn: in ranks from top to bottom, as Sugiyama, Tagawa
// and Toda do it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace polygraphy {

// Edges with the same `from` and `tensor` share their way.
struct LayoutEdge {
  size_t from = 0, to = 0;
  size_t tensor = 0;
};

struct LayeredLayout {
  std::vector<size_t> ranks;               // of each node
  std::vector<double> xs;                  // of each node's middle; the leftmost side is at 0
  std::vector<std::vector<double>> bends;  // of each edge: where it crosses the ranks between
  size_t rank_count = 0;
  double width = 0;
};

// `widths` of the nodes. A rank is at least one more than the greatest of the nodes that are read.
// Nodes that depend on none of `inputs` (none given: nodes that read none) stand right above the
// first that reads them, others where edges are shortest. Nodes in a row stand below each other. Of
// a cycle, edges that go back are drawn upwards. Edges that go back and, where there are very many
// ranks to cross, the longest ones have no bends: they go straight. Deterministic. O((nodes +
// edges) * log), and for rows of nodes the width of their ranks.
LayeredLayout layered_layout(std::span<const double> widths, std::span<const LayoutEdge> edges,
                             std::span<const size_t> inputs = {});

}  // namespace polygraphy
