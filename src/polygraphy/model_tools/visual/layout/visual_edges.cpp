#include "polygraphy/model_tools/visual/layout/visual_edges.h"

#include <algorithm>
#include <span>

namespace polygraphy {
namespace {

constexpr ptrdiff_t kMostWriters = 16;

std::span<const size_t> writers_for(const std::vector<size_t>& writers, size_t reader) {
  const auto begin = writers.begin();
  auto end = std::lower_bound(begin, writers.end(), reader);
  if (end == begin) end = writers.end();
  return {end - std::min(kMostWriters, end - begin), end};
}

}  // namespace

std::vector<size_t> visual_inputs(const VisualGraph& graph) {
  std::vector<size_t> inputs;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const VisualNode::Kind kind = graph.nodes[i].kind;
    if (kind == VisualNode::Kind::kInput || kind == VisualNode::Kind::kCapture) inputs.push_back(i);
  }
  return inputs;
}

std::vector<LayoutEdge> visual_edges(const VisualGraph& graph) {
  std::vector<std::vector<size_t>> writers(graph.tensors.size());
  for (size_t node = 0; node < graph.nodes.size(); ++node) {
    for (const size_t tensor : graph.nodes[node].outputs) writers[tensor].push_back(node);
  }
  std::vector<LayoutEdge> edges;
  for (size_t node = 0; node < graph.nodes.size(); ++node) {
    std::vector<size_t> tensors = graph.nodes[node].inputs;
    std::sort(tensors.begin(), tensors.end());
    tensors.erase(std::unique(tensors.begin(), tensors.end()), tensors.end());
    for (const size_t tensor : tensors) {
      if (graph.tensors[tensor].constant || graph.tensors[tensor].name.empty()) continue;
      for (const size_t writer : writers_for(writers[tensor], node)) {
        if (writer != node) edges.push_back({writer, node, tensor});
      }
    }
  }
  return edges;
}

}  // namespace polygraphy
