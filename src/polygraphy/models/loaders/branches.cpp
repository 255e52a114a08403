#include "polygraphy/models/loaders/branches.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::GraphRef;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;

// Calls `use` with the id and each node of each body of a node of the main graph.
template <typename Use>
void for_each_in_bodies(const Model& model, Use use) {
  for (const NodeRef& outer : model.graph->nodes()) {
    if (!outer->has_subgraphs()) continue;
    for (const graphsurgeon::Attribute& attribute : outer->attributes()) {
      const auto* body = std::get_if<GraphRef>(&attribute.value);
      if (!body || !*body) continue;
      const BodyId id{outer->outputs().empty() ? "" : outer->outputs().front()->name(),
                      attribute.name};
      for (const Graph* graph : graphsurgeon::inner_graphs_first(**body)) {
        for (const NodeRef& node : graph->nodes()) use(id, *node);
      }
    }
  }
}

// As problems of shape inference name it.
std::string label(const Node& node) {
  if (!node.name().empty() || node.outputs().empty())
    return fmt::format("node '{}' ({}):", node.name(), node.op());
  return fmt::format("node with output '{}' ({}):", node.outputs().front()->name(), node.op());
}

}  // namespace

std::set<BodyId> contradictory_bodies(const Model& model) {
  Logger silent;
  Model inferred = graphsurgeon::copy(model);
  const std::vector<std::string> problems =
      graphsurgeon::infer_shapes(inferred, {}, silent).problems;
  std::set<BodyId> bodies;
  if (problems.empty()) return bodies;
  for_each_in_bodies(model, [&](const BodyId& id, const Node& node) {
    const std::string text = label(node);
    if (std::any_of(problems.begin(), problems.end(), [&](const std::string& problem) {
          return problem.find(text) != std::string::npos;
        })) {
      bodies.insert(id);
    }
  });
  return bodies;
}

std::unordered_set<const Node*> nodes_in(const Model& model, const std::set<BodyId>& bodies) {
  std::unordered_set<const Node*> wanted, all;
  std::set<BodyId> missing = bodies;
  for_each_in_bodies(model, [&](const BodyId& id, const Node& node) {
    missing.erase(id);
    all.insert(&node);
    if (bodies.contains(id)) wanted.insert(&node);
  });
  return missing.empty() ? wanted : all;
}

}  // namespace polygraphy
