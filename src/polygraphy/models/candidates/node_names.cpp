#include "polygraphy/models/candidates/node_names.h"

#include <unordered_set>
#include <utility>

#include "base/near_names.h"
#include "base/text.h"
#include "polygraphy/models/candidates/inline_body.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::Tensor;

template <typename Table>
std::optional<NodePlace> find_in(const Table& table, std::string_view name) {
  const auto found = table.find(name);
  return found == table.end() ? std::nullopt : std::optional<NodePlace>(found->second);
}

struct NamedGraph {
  const Graph* graph;
  std::string path;  // "Loop_1/body/"
  std::vector<NodePlace::Around> around;
  std::vector<std::string> names = {};  // of its nodes
};

// Outer graphs first, so that inner ones have the last word.
template <typename Use>
void for_each_graph(const Model& model, Use use) {
  std::vector<NamedGraph> open = {{model.graph.get(), "", {}}};
  for (size_t at = 0; at < open.size(); ++at) {
    NamedGraph here = std::move(open[at]);
    here.names = distinct_node_names(*here.graph);
    for (size_t i = 0; i < here.names.size(); ++i) {
      const Node& node = *here.graph->nodes()[i];
      for (size_t body = 0; body < bodies_of(node); ++body) {
        const GraphRef inside = body_of(node, body);
        if (!inside) continue;
        NamedGraph inner{
            inside.get(),
            here.path + here.names[i] + "/" + std::string(name_of_body(node, body)) + "/",
            here.around};
        inner.around.push_back({i, body});
        open.push_back(std::move(inner));
      }
    }
    use(here);
  }
}

}  // namespace

std::vector<std::string> distinct_node_names(const Graph& graph) {
  std::unordered_set<std::string> own;
  for (const auto& node : graph.nodes()) own.emplace(node->name());
  std::unordered_set<std::string> seen;
  std::vector<std::string> names;
  for (const auto& node : graph.nodes()) {
    std::string name(node->name());
    for (const Tensor* output : node->outputs()) {
      if (name.empty()) name = output->name();
    }
    std::string distinct = name;
    for (int count = 2; seen.contains(distinct) || (count > 2 && own.contains(distinct)); ++count)
      distinct = name + "#" + std::to_string(count);
    seen.insert(distinct);
    names.push_back(std::move(distinct));
  }
  return names;
}

std::optional<std::string> path_of_body(const Model& model, const Graph& body) {
  std::optional<std::string> path;
  for_each_graph(model, [&](const NamedGraph& graph) {
    if (graph.graph == &body && graph.graph != model.graph.get()) path = graph.path;
  });
  return path;
}

NamedNodes::NamedNodes(const Model& model) {
  for_each_graph(model, [&](const NamedGraph& here) {
    for (size_t i = 0; i < here.names.size(); ++i) {
      const Node& node = *here.graph->nodes()[i];
      const NodePlace place{here.around, i};
      const auto add = [&](Table& table, const std::string& name) {
        if (name.empty()) return;
        table.insert_or_assign(here.path + name, place);
        if (here.around.empty()) return;
        const auto [known, is_new] = inside_.try_emplace(name, place);
        if (!is_new && known->second != place) known->second.reset();
      };
      add(nodes_, here.names[i]);
      for (const Tensor* output : node.outputs()) add(tensors_, std::string(output->name()));
    }
  });
}

std::optional<NodePlace> NamedNodes::find(std::string_view name) const {
  if (auto found = find_in(nodes_, name)) return found;
  if (auto found = find_in(tensors_, name)) return found;
  const auto found = inside_.find(name);
  return found == inside_.end() ? std::nullopt : found->second;
}

std::string NamedNodes::did_you_mean(std::string_view name) const {
  std::vector<std::string_view> candidates;
  for (const auto* table : {&nodes_, &tensors_}) {
    for (const auto& [known, place] : *table) candidates.push_back(known);
  }
  return polygraphy::did_you_mean(name, candidates);
}

}  // namespace polygraphy
