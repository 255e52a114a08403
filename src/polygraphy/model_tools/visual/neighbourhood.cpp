#include "polygraphy/model_tools/visual/neighbourhood.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "base/near_names.h"
#include "base/text.h"
#include "polygraphy/model_tools/visual/layout/visual_edges.h"

namespace polygraphy {
namespace {

constexpr size_t kFar = std::numeric_limits<size_t>::max();

// Distances in edges, whichever their direction; kFar beyond `depth`.
class Distances {
 public:
  Distances(const VisualGraph& graph, std::string_view name, size_t depth)
      : distances_(graph.nodes.size(), kFar) {
    const std::vector<LayoutEdge> edges = visual_edges(graph);
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      if (graph.nodes[i].name == name || graph.nodes[i].id == name) reach(i, 0);
    }
    if (depth > 0) start_at_tensors(graph, name);
    join(edges);
    for (size_t next = 0; next < reached_.size(); ++next) {
      const size_t node = reached_[next];
      if (distances_[node] >= depth) continue;
      for (const size_t other : neighbours_[node]) reach(other, distances_[node] + 1);
    }
  }

  bool reaches(size_t node) const { return distances_[node] != kFar; }
  bool starts_at(size_t node) const { return distances_[node] == 0; }
  bool found() const { return !reached_.empty(); }

 private:
  void reach(size_t node, size_t distance) {
    if (distances_[node] != kFar) return;
    distances_[node] = distance;
    reached_.push_back(node);
  }

  void start_at_tensors(const VisualGraph& graph, std::string_view name) {
    const auto uses = [&](const std::vector<size_t>& tensors) {
      return std::any_of(tensors.begin(), tensors.end(),
                         [&](size_t tensor) { return graph.tensors[tensor].name == name; });
    };
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      if (uses(graph.nodes[i].inputs) || uses(graph.nodes[i].outputs)) reach(i, 1);
    }
  }

  void join(const std::vector<LayoutEdge>& edges) {
    neighbours_.resize(distances_.size());
    for (const LayoutEdge& edge : edges) {
      neighbours_[edge.from].push_back(edge.to);
      neighbours_[edge.to].push_back(edge.from);
    }
  }

  std::vector<size_t> distances_, reached_;
  std::vector<std::vector<size_t>> neighbours_;
};

// The nodes that are reached, and the tensors that they use.
VisualGraph part_of(const VisualModel& model, const VisualGraph& graph,
                    const Distances& distances) {
  VisualGraph part{.title = graph.title};
  std::vector<size_t> indices(graph.tensors.size(), kFar);
  const auto keep = [&](std::vector<size_t>& tensors) {
    for (size_t& tensor : tensors) {
      size_t& index = indices[tensor];
      if (index == kFar) {
        index = part.tensors.size();
        part.tensors.push_back(graph.tensors[tensor]);
      }
      tensor = index;
    }
  };
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!distances.reaches(i)) continue;
    VisualNode& node = part.nodes.emplace_back(graph.nodes[i]);
    node.centre = distances.starts_at(i);
    keep(node.inputs);
    keep(node.outputs);
    for (const auto& [attribute, index] : node.subgraphs) {
      node.attributes.emplace_back(attribute, fmt::format("a graph of {} nodes, not shown",
                                                          model.graphs[index].nodes.size()));
    }
    node.subgraphs.clear();
  }
  return part;
}

std::vector<std::string_view> all_names(const VisualModel& model) {
  std::vector<std::string_view> names;
  std::unordered_set<std::string_view> known;
  const auto add = [&](const std::string& one) {
    if (!one.empty() && known.insert(one).second) names.push_back(one);
  };
  for (const VisualGraph& graph : model.graphs) {
    for (const VisualNode& node : graph.nodes) add(node.name);
    for (const VisualTensor& tensor : graph.tensors) add(tensor.name);
  }
  return names;
}

Error nothing_has(const VisualModel& model, std::string_view name) {
  const std::string meant = did_you_mean(name, all_names(model));
  return Error(
      fmt::format("no node or tensor named '{}'", name),
      meant.empty() ? "The text of the model lists the names of nodes and tensors." : meant);
}

}  // namespace

VisualModel neighbourhood(const VisualModel& model, std::string_view name, size_t depth) {
  VisualModel part{.title = fmt::format("{} | Around: {}", model.title, name)};
  bool is_tensor = false;
  for (const VisualGraph& graph : model.graphs) {
    const Distances distances(graph, name, depth);
    if (distances.found()) part.graphs.push_back(part_of(model, graph, distances));
    for (const VisualTensor& tensor : graph.tensors) is_tensor |= tensor.name == name;
  }
  if (!part.graphs.empty()) return part;
  if (!is_tensor || name.empty()) throw nothing_has(model, name);
  if (depth == 0)
    throw Error(fmt::format("'{}' is a tensor, and its nearest nodes are one edge away", name),
                "Set a depth of at least 1.");
  throw Error(fmt::format("no node reads or writes the tensor '{}'", name));
}

}  // namespace polygraphy
