// Replaces If, Loop and Scan by the nodes inside them.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/silent_log.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "polygraphy/diagnosis/reduce/intermediates/describe.h"
#include "polygraphy/diagnosis/reduce/loop_iterations.h"
#include "polygraphy/diagnosis/reduce/node_search.h"
#include "polygraphy/diagnosis/reduce/shrinker.h"
#include "polygraphy/models/candidates/inline_body.h"
#include "polygraphy/models/candidates/model_size.h"
#include "polygraphy/models/candidates/prune_unused.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;

// A node that holds graphs, in this model and in copies of it.
struct Place {
  size_t graph = 0;  // of inner_graphs_first()
  size_t node = 0;
  size_t body = 0;  // the one to put in its place
};

// The branch that an If takes: 0 or 1. nullopt: not known.
std::optional<size_t> taken_branch(const Node& node, const Model& model,
                                   Intermediates& intermediates) {
  if (node.inputs().empty()) return std::nullopt;
  const std::optional<Array> value = value_on_sample(*node.inputs()[0], model, intermediates);
  if (!value || value->dtype() != DataType::kBool || value->size() != 1) return std::nullopt;
  return value->get_int64(0) != 0 ? 0 : 1;
}

// Outer ones first, which take the inner ones along.
std::vector<Place> places(const Model& model, Intermediates& intermediates) {
  std::vector<Place> result;
  const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(*model.graph);
  for (size_t g = graphs.size(); g-- > 0;) {
    for (size_t n = 0; n < graphs[g]->nodes().size(); ++n) {
      const Node& node = *graphs[g]->nodes()[n];
      const size_t bodies = bodies_of(node);
      const bool other_first = bodies == 2 && taken_branch(node, model, intermediates) == 1;
      for (size_t i = 0; i < bodies; ++i) result.push_back({g, n, other_first ? 1 - i : i});
    }
  }
  return result;
}

bool inline_body(Model& model, const Place& place) {
  Graph& graph = *graphsurgeon::inner_graphs_first(*model.graph)[place.graph];
  return polygraphy::inline_body(model, graph, place.node, place.body);
}

Model finished(Model candidate, CandidateTools& tools) {
  // A tensor of the body may become an input next.
  graphsurgeon::infer_shapes(candidate, {}, log_or_silence(nullptr));
  keep_unread(candidate);
  prune_unused(candidate);
  describe_interface(candidate, tools.intermediates, tools.log);
  return candidate;
}

std::optional<Model> without(const Model& model, const Place& place, CandidateTools& tools) {
  Model candidate = graphsurgeon::copy(model);
  if (!inline_body(candidate, place)) return std::nullopt;
  return finished(std::move(candidate), tools);
}

// A fault that only a later iteration shows: the first one that does comes out of the loop.
std::unique_ptr<Model> take_iteration_out(const Model& model, const Place& place,
                                          SearchTools& tools) {
  constexpr int64_t kMostIterations = 1'000'000;
  const Graph& graph = *graphsurgeon::inner_graphs_first(*model.graph)[place.graph];
  if (&graph != model.graph.get()) return nullptr;
  const int64_t all = iterations_of(model, *graph.nodes()[place.node], tools.intermediates);
  if (all < 2 || all > kMostIterations) return nullptr;
  {
    Model probe = graphsurgeon::copy(model);
    if (!inline_last_iteration(probe, *probe.graph, place.node, 2)) return nullptr;
  }
  const int64_t failing = least_failing_iterations(model, place.node, all, tools);
  if (failing < 2) return nullptr;  // as one iteration alone, it has been tried
  const Candidate out{
      .about = "Moving the nodes of iteration " + std::to_string(failing) + " out of the loop",
      .make = [&](CandidateTools& making) {
        Model candidate = graphsurgeon::copy(model);
        inline_last_iteration(candidate, *candidate.graph, place.node, failing);
        return finished(std::move(candidate), making);
      }};
  return tools.test.fails(out) ? std::make_unique<Model>(*out.make(tools)) : nullptr;
}

// One node less that holds graphs.
std::unique_ptr<Model> take_one_out(const Model& model, SearchTools& tools) {
  const auto candidate = [&model](const Place& place) -> Candidate {
    return {
        .about = "Replacing a node by the nodes of its body",
        .make = [&model, place](CandidateTools& making) { return without(model, place, making); }};
  };
  const auto found = tools.test.first_failing(
      made_of<Candidate, Place>(in_order(places(model, tools.intermediates)), candidate));
  return found ? std::make_unique<Model>(*found->candidate.make(tools)) : nullptr;
}

// The same for loops of which no single iteration fails by itself.
std::unique_ptr<Model> take_later_iteration_out(const Model& model, SearchTools& tools) {
  for (const Place& place : places(model, tools.intermediates)) {
    if (auto found = take_iteration_out(model, place, tools)) return found;
  }
  return nullptr;
}

std::unique_ptr<Model> shrink_model(const Model& model, SearchTools& tools) {
  std::unique_ptr<Model> result;
  const auto current = [&]() -> const Model& { return result ? *result : model; };
  const auto fewest = [&](std::unique_ptr<Model> found) {
    auto fewer = fewest_nodes(*found, tools);
    return fewer ? std::move(fewer) : std::move(found);
  };
  while (true) {
    if (auto found = take_one_out(current(), tools)) {
      result = fewest(std::move(found));
      continue;
    }
    // The loop may have to stay for what comes before; then nothing is gained.
    auto found = take_later_iteration_out(current(), tools);
    if (!found) return result;
    found = fewest(std::move(found));
    if (model_size(*found) >= model_size(current())) return result;
    result = std::move(found);
  }
}

}  // namespace

extern constinit const Shrinker shrinker_bodies = {
    .name = "bodies",
    .phrase = "Moving nodes out of If, Loop and Scan",
    .order = 20,
    .shrink = shrink_model};

}  // namespace polygraphy
