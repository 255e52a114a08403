#include "polygraphy/diagnosis/reduce/start_search.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/arrays/py_repr.h"
#include "base/silent_log.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "polygraphy/diagnosis/reduce/node_search.h"
#include "polygraphy/models/candidates/inline_body.h"
#include "polygraphy/models/candidates/inline_calls.h"
#include "polygraphy/models/candidates/node_names.h"
#include "polygraphy/models/candidates/used_tensors.h"

namespace polygraphy {
namespace {

using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;

// A model and its names. Nodes of functions are found in a copy with all calls inlined.
class Named {
 public:
  explicit Named(const Model& model) : model_(model), names_(model) {}

  // nullopt: not even inside of functions.
  struct Found {
    const Model* model;
    NodePlace place;
  };
  std::optional<Found> find(const std::string& name) {
    if (auto place = names_.find(name)) return Found{&model_, *std::move(place)};
    if (model_.functions.empty()) return std::nullopt;
    if (!inlined_) {
      inlined_ = graphsurgeon::copy(model_);
      inline_all_calls(*inlined_);
      graphsurgeon::infer_shapes(*inlined_, {}, log_or_silence(nullptr));
      names_inlined_.emplace(*inlined_);
    }
    if (auto place = names_inlined_->find(name)) return Found{&*inlined_, *std::move(place)};
    return std::nullopt;
  }

  std::string did_you_mean(const std::string& name) const {
    std::string text = names_.did_you_mean(name);
    return text.empty() && names_inlined_ ? names_inlined_->did_you_mean(name) : text;
  }

 private:
  const Model& model_;
  NamedNodes names_;
  std::optional<Model> inlined_;
  std::optional<NamedNodes> names_inlined_;
};

// A copy in which the node stands in the main graph, and where. nullopt: that cannot be made.
std::optional<std::pair<Model, size_t>> taken_out(const Model& model, const NodePlace& place) {
  Model copy = graphsurgeon::copy(model);
  auto& main = *copy.graph;
  std::vector<NodeRef> way;
  const graphsurgeon::Graph* graph = &main;
  for (const NodePlace::Around& around : place.around) {
    way.push_back(graph->nodes()[around.node]);
    graph = body_of(*way.back(), around.body).get();
  }
  way.push_back(graph->nodes()[place.node]);
  const auto position = [&](const NodeRef& node) {
    return static_cast<size_t>(std::ranges::find(main.nodes(), node) - main.nodes().begin());
  };
  for (size_t i = 0; i < place.around.size(); ++i) {
    if (!inline_body(copy, main, position(way[i]), place.around[i].body)) return std::nullopt;
  }
  graphsurgeon::infer_shapes(copy, {}, log_or_silence(nullptr));
  const size_t at = position(way.back());
  return std::pair(std::move(copy), at);
}

// By position, of nodes that each node reads from, or is read by as well.
std::vector<std::vector<size_t>> neighbours(const Model& model, StartingAt what) {
  const auto& nodes = model.graph->nodes();
  std::unordered_map<const Tensor*, size_t> made_by;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (const Tensor* output : nodes[i]->outputs()) made_by[output] = i;
  }
  const UsedTensors used(model);
  std::vector<std::vector<size_t>> result(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    used.of(*nodes[i], [&](const Tensor& tensor) {
      const auto found = made_by.find(&tensor);
      if (found == made_by.end()) return;
      result[i].push_back(found->second);
      if (what == StartingAt::kNodes) result[found->second].push_back(i);
    });
  }
  return result;
}

// The nodes, then those near them at distances up to 1, 2, 4 ...: all that come before them, or
// around them while they are no more than half of the model.
std::vector<Part> growing_parts(const Model& model, const std::set<size_t>& nodes,
                                StartingAt what) {
  const auto near = neighbours(model, what);
  const size_t most = what == StartingAt::kOutputs ? near.size() - 1 : near.size() / 2;
  std::vector<Part> parts = {Part(nodes.begin(), nodes.end())};
  std::set<size_t> reached = nodes, edge = nodes;
  size_t next = 1;
  for (size_t distance = 1; !edge.empty() && reached.size() <= most; ++distance) {
    if (distance > next) {
      parts.emplace_back(reached.begin(), reached.end());
      next *= 2;
    }
    std::set<size_t> farther;
    for (const size_t node : edge) {
      for (const size_t other : near[node]) {
        if (reached.insert(other).second) farther.insert(other);
      }
    }
    edge = std::move(farther);
  }
  if (reached.size() <= most && reached.size() > parts.back().size())
    parts.emplace_back(reached.begin(), reached.end());
  return parts;
}

}  // namespace

void require_nodes(const Model& model, const std::vector<std::string>& names) {
  Named named(model);
  for (const std::string& name : names) {
    if (named.find(name)) continue;
    throw Error(kNoSuchNode,
                "The model has no node " + py_str_repr(name) +
                    ", and no node produces a tensor of that name",
                named.did_you_mean(name));
  }
}

std::unique_ptr<Model> start_at(const Model& whole, const Model& failing,
                                const std::vector<std::string>& names, StartingAt what,
                                SearchTools& tools) {
  Named in_whole(whole), in_failing(failing);
  const auto alone = [&](const Named::Found& found) -> std::unique_ptr<Model> {
    if (found.place.around.empty())
      return first_failing_part(*found.model, {{found.place.node}}, tools);
    const auto out = taken_out(*found.model, found.place);
    return out ? first_failing_part(out->first, {{out->second}}, tools) : nullptr;
  };
  for (const std::string& name : names) {
    const auto found = in_whole.find(name);
    if (!found) continue;
    if (auto part = alone(*found)) return part;
  }
  std::set<size_t> positions;
  const Model* model = nullptr;
  bool is_alone = true;  // whether this part has been tested above
  for (const std::string& name : names) {
    const auto found = in_failing.find(name), before = in_whole.find(name);
    if (!found || (model && found->model != model)) continue;
    model = found->model;
    positions.insert(found->place.outermost());
    is_alone = is_alone && found->place.around.empty() && before &&
               before->model->graph->nodes().size() == model->graph->nodes().size();
  }
  if (!model) return nullptr;
  std::vector<Part> parts = growing_parts(*model, positions, what);
  if (is_alone && positions.size() == 1) parts.erase(parts.begin());
  return first_failing_part(*model, parts, tools);
}

}  // namespace polygraphy
