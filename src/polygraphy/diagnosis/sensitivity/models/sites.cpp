#include "polygraphy/diagnosis/sensitivity/models/sites.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/int_attribute.h"
#include "graphsurgeon/ir/node_inputs.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/diagnosis/sensitivity/models/expert_weights.h"
#include "polygraphy/models/candidates/node_names.h"

namespace polygraphy {
namespace {

using graphsurgeon::Node;
using graphsurgeon::Tensor;
using graphsurgeon::WeightLayout;

struct Role {
  size_t weight = 1, activation = 0;
  int64_t channel = 0, reduced = 1;
  bool rounds = true;  // the activation can be rounded
  size_t part = 0;
};

bool is_weight(const Node& node, size_t slot) {
  const Tensor* tensor = graphsurgeon::constant_at(node, slot);
  return tensor &&
         (tensor->dtype() == DataType::kFloat32 || tensor->dtype() == DataType::kFloat16 ||
          tensor->dtype() == DataType::kBfloat16) &&
         tensor->payload()->size() > 0;
}

size_t rank_of(const Node& node, size_t slot) {
  return node.inputs()[slot]->payload()->shape().size();
}

// A constant left factor of a product is a weight where the right one is not.
std::optional<Role> role_of(const Node& node, bool embeddings) {
  if (node.inputs().size() < 2) return std::nullopt;
  if (embeddings && node.op() == "Gather" && graphsurgeon::is_default_domain(node.domain())) {
    if (!is_weight(node, 0) || rank_of(node, 0) != 2 || node.inputs()[1]->is_constant() ||
        graphsurgeon::int_attribute(node, "axis", 0) != 0)
      return std::nullopt;
    return Role{.weight = 0, .activation = 1, .channel = 0, .reduced = 1, .rounds = false};
  }
  const auto& facts = facts_of(node);
  if (facts.layout == WeightLayout::kNone || facts.computes_with_codes()) return std::nullopt;
  const bool product = facts.layout == WeightLayout::kMatrix;
  const size_t slot = product && !is_weight(node, 1) ? 0 : 1;
  if (!is_weight(node, slot) || node.inputs()[1 - slot]->is_constant()) return std::nullopt;
  const auto rank = static_cast<int64_t>(rank_of(node, slot));
  if (rank < 2) return std::nullopt;
  const int64_t reduced = reduced_axis(node, slot, rank);
  const int64_t first = product ? rank - 2 : 0;  // of the two axes
  return Role{.weight = slot,
              .activation = 1 - slot,
              .channel = 2 * first + 1 - reduced,
              .reduced = reduced};
}

// The other factor of a weight of experts may be a value within the node.
std::vector<Role> roles_of(const Node& node, bool embeddings) {
  std::vector<Role> roles;
  if (!has_experts(node)) {
    if (const auto role = role_of(node, embeddings)) roles.push_back(*role);
    return roles;
  }
  for (size_t part = 1; part <= kExpertParts; ++part) {
    const size_t slot = expert_slot(part);
    if (is_weight(node, slot) && rank_of(node, slot) == 3)
      roles.push_back({.weight = slot, .channel = 1, .reduced = 2, .rounds = false, .part = part});
  }
  return roles;
}

}  // namespace

int64_t reduced_axis(const Node& node, size_t slot, int64_t rank) {
  const int64_t axis = summed_axis(node, slot);
  return axis < 0 ? axis + rank : axis;
}

std::vector<Site> find_sites(const graphsurgeon::Model& model, bool embeddings) {
  const graphsurgeon::Graph& graph = *model.graph;
  const std::vector<std::string> names = distinct_node_names(graph);
  std::vector<Site> sites;
  std::vector<const Tensor*> weights;
  std::map<std::tuple<const Tensor*, int64_t, int64_t, bool, size_t>, size_t> known;
  const auto add = [&](size_t position, const Role& role) {
    const Node& node = *graph.nodes()[position];
    const Tensor* weight = node.inputs()[role.weight];
    // An input of the model with a default value may be anything.
    if (std::ranges::any_of(graph.inputs(), [&](const auto& in) { return in.get() == weight; }))
      return;
    const auto key =
        std::tuple(weight, role.channel, role.reduced, node.op() == "Gather", role.part);
    const auto [at, is_new] = known.try_emplace(key, sites.size());
    if (is_new) {
      sites.push_back({.weight = std::string(weight->name()),
                       .op = std::string(node.op()),
                       .shape = weight->payload()->shape(),
                       .dtype = weight->dtype(),
                       .channel_axis = role.channel,
                       .reduced_axis = role.reduced,
                       .part = role.part,
                       .nodes = {}});
      weights.push_back(weight);
    }
    sites[at->second].nodes.push_back(
        {.position = position,
         .name = names[position],
         .weight_slot = role.weight,
         .activation_slot = role.activation,
         .activation = role.rounds ? std::string(node.inputs()[role.activation]->name()) : ""});
  };
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    for (const Role& role : roles_of(*graph.nodes()[i], embeddings)) add(i, role);
  }
  for (size_t i = 0; i < sites.size(); ++i) {
    const bool is_output = std::ranges::any_of(
        graph.outputs(), [&](const auto& output) { return output.get() == weights[i]; });
    sites[i].shared = is_output || weights[i]->consumers().size() > sites[i].nodes.size();
  }
  return sites;
}

bool any_experts(const std::vector<Site>& sites) {
  return std::ranges::any_of(sites, [](const Site& site) { return site.part > 0; });
}

int64_t nodes_in_bodies(const graphsurgeon::Model& model, bool embeddings) {
  int64_t found = 0;
  std::vector<const graphsurgeon::Graph*> graphs = {model.graph.get()};
  while (!graphs.empty()) {
    const graphsurgeon::Graph& graph = *graphs.back();
    graphs.pop_back();
    for (const auto& node : graph.nodes()) {
      if (&graph != model.graph.get()) found += std::ssize(roles_of(*node, embeddings));
      for (const auto& body : node->subgraphs()) graphs.push_back(body.get());
    }
  }
  return found;
}

}  // namespace polygraphy
