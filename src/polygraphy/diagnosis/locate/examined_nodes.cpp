#include "polygraphy/diagnosis/locate/examined_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/log_modules.h"
#include "base/progress.h"
#include "base/size_text.h"
#include "graphsurgeon/ir/copy.h"
#include "polygraphy/diagnosis/locate/judging/judged_findings.h"
#include "polygraphy/diagnosis/locate/judging/node_verdict.h"
#include "polygraphy/diagnosis/locate/measuring/measure_alone.h"
#include "polygraphy/diagnosis/locate/measuring/measure_in_place.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/diagnosis/locate/models/spans.h"
#include "polygraphy/models/candidates/inline_body.h"
#include "polygraphy/models/parts/node_chains.h"
#include "polygraphy/models/parts/node_groups.h"

namespace polygraphy {
namespace {

// Iterations of a loop whose bodies are examined.
constexpr int64_t kIterations = 4;

void warn_of_many(size_t groups, uint64_t budget, Logger& log) {
  constexpr size_t kMany = 16;
  if (groups <= kMany) return;
  log.warning(log_modules::kLocate,
              fmt::format("The memory limit leaves {} for tensors: both engines run the model once "
                          "for each of {} groups of nodes",
                          size_text(static_cast<int64_t>(budget)), groups));
}

// The reference's values of what a node reads, on a sample.
ArrayMap read_by(const LocateRun& run, const WholeModel& model, const ValueMap& feed,
                 const NodeFacts& node) {
  ArrayMap values;
  std::vector<std::string> computed;
  for (const std::string& name : node.reads) {
    const Value* fed = feed.find(name);
    if (!fed) {
      computed.push_back(name);
    } else if (const Array* array = fed->as_tensor()) {
      values.set(name, *array);
    }
  }
  if (computed.empty()) return values;
  run_samples(
      *run.reference, model.with_outputs(computed), 1, 1, [&](int64_t, int64_t) { return feed; },
      [&](int64_t, int64_t, ArrayMap outputs) {
        for (auto& [name, array] : outputs) values.set(name, std::move(array));
      },
      run.job.cancel);
  return values;
}

// A group with the nodes that run alone with its nodes.
NodePart measured_with(const LocateRun& run, const WholeModel& model, const NodePart& group) {
  if (!run.reference_model) return group;
  return with_spans(model, group,
                    [&](const std::string& tensor) { return run.reference_model->has(tensor); });
}

// The body of an If, Loop or Scan as a separate model.
struct BodyModel {
  graphsurgeon::Model model;
  ValueMap feed;      // for all its inputs
  std::string graph;  // "loop_1/body", "if_3/then_branch"
  // For a Loop: outputs of the model, and the inputs that take them in the next iteration.
  std::vector<std::pair<std::string, std::string>> carried = {};
};

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::Node;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

constexpr size_t kLoopState = 2;  // behind the number of iterations and the condition

// Returns variables that a node reads, by name; null: unknown.
using ValueOf = std::function<const Array*(const std::string&)>;

// Which body of the node is executed: 1 for the else branch of an If. nullopt: unknown.
std::optional<size_t> executed_body(const Node& node, const ValueOf& value) {
  if (bodies_of(node) == 0) return std::nullopt;
  if (node.op() != "If") return 0;
  const Tensor* condition = node.inputs().empty() ? nullptr : node.inputs()[0];
  if (!condition) return std::nullopt;
  const Array* given = value(std::string(condition->name()));
  const Array taken = given ? *given : condition->is_constant() ? condition->values() : Array();
  if (taken.size() != 1) return std::nullopt;
  return taken.get_int64(0) != 0 ? 0 : 1;
}

// The states of a Loop.
struct LoopStates {
  // Outputs of the node, and the inputs that have their values before.
  std::vector<std::pair<std::string, std::string>> carried = {};
  std::unordered_map<std::string, Array> constants = {};  // of which variables were made
};

// None for other nodes. nullopt: the node lacks one.
std::optional<LoopStates> take_states(Graph& graph, Node& node) {
  LoopStates states;
  if (node.op() != "Loop") return states;
  for (size_t i = kLoopState; i < node.inputs().size(); ++i) {
    Tensor* state = node.inputs()[i];
    if (state->is_empty() || i - kLoopState >= node.outputs().size()) return std::nullopt;
    if (state->is_constant()) {
      const Array first = state->values();
      const TensorRef variable =
          graph.variable(std::string(state->name()) + "/state", first.dtype());
      states.constants[std::string(variable->name())] = first;
      node.inputs().set(i, variable);
      state = node.inputs()[i];
    }
    states.carried.emplace_back(node.outputs()[i - kLoopState]->name(), state->name());
  }
  return states;
}

// The nodes of the body that the node at this position of the main graph runs, with their inputs:
// the executed branch of an If, one iteration of a Loop, the first of a Scan. `value`: also of
// `carried` inputs. nullopt: no body, or unknown inputs. O(model).
std::optional<BodyModel> body_model(const Model& model, size_t position, const ValueOf& value,
                                    int64_t iteration) {
  Model whole = graphsurgeon::copy(model);
  Graph& graph = *whole.graph;
  const NodeRef node = graph.nodes()[position];
  const std::optional<size_t> body = executed_body(*node, value);
  if (!body) return std::nullopt;
  const char* name = node->op() != "If" ? "/body" : *body == 0 ? "/then_branch" : "/else_branch";
  BodyModel result;
  result.graph = std::string(node->name()) + name;
  const std::optional<LoopStates> states = take_states(graph, *node);
  const size_t before = graph.nodes().size();
  if (!states || !inline_body(whole, graph, position, *body, iteration)) return std::nullopt;
  NodePart inside(graph.nodes().size() + 1 - before);
  std::iota(inside.begin(), inside.end(), position);
  if (inside.empty()) return std::nullopt;

  const auto value_of = [&](const std::string& tensor) -> const Array* {
    if (const Array* given = value(tensor)) return given;
    const auto state = states->constants.find(tensor);
    return state == states->constants.end() ? nullptr : &state->second;
  };
  ExplodedModel exploded = explode(whole, {inside}, value_of);
  for (const std::string& input : exploded.inputs) {
    const Array* given = value_of(input);
    if (!given) return std::nullopt;
    result.feed.set(input, *given);
  }
  for (const auto& [output, input] : states->carried) {
    for (const ExplodedOutput& visible : exploded.outputs) {
      if (visible.tensor == output) result.carried.emplace_back(visible.name, input);
    }
  }
  if (result.carried.size() != states->carried.size()) result.carried.clear();
  result.model = std::move(exploded.model);
  return result;
}

}  // namespace

void measure_nodes(const LocateRun& run, const WholeModel& model,
                   const std::vector<NodePart>& chains, const std::vector<ValueMap>& feeds,
                   Measurements& measurements, Logger& log, const SeeTensors& see) {
  const LocateJob& job = run.job;
  const uint64_t budget = run.tensor_bytes();
  const std::vector<NodePart> groups =
      node_groups(model, chains, feeds.front(), {.samples = std::ssize(feeds), .bytes = budget});
  log.start(log_modules::kLocate,
            fmt::format("Comparing {} nodes with {} sample(s){} | {} against {}",
                        model.nodes().size(), feeds.size(),
                        groups.size() > 1 ? fmt::format(", in {} groups", groups.size()) : "",
                        name_of(job.target), name_of(job.reference)));
  warn_of_many(groups.size(), budget, log);
  const auto count = static_cast<int64_t>(groups.size());
  ProgressPhase phase(
      fmt::format("comparing {} nodes", model.nodes().size()) + (count > 1 ? ", group" : ""),
      count > 1 ? std::optional(count) : std::nullopt);
  const SideFeeds sides = same_feeds(run, feeds);
  for (size_t i = 0; i < groups.size(); ++i) {
    const NodePart measured = measured_with(run, model, groups[i]);
    const ValuesInPlace values =
        measure_in_place(run, model, sides, measured, {}, measurements, log);
    if (see) see(values.reference);
    measure_alone(run, model, values.reference, groups[i],
                  run.reference_model ? std::vector<NodePart>() : chains_in(groups[i], chains),
                  measurements, log);
    if (count > 1) phase.step();
  }
}

std::vector<NodeFinding> examine_bodies(const LocateRun& run, const WholeModel& model,
                                        const std::vector<ValueMap>& feeds,
                                        const NodeFinding& finding, Logger& log) {
  const NodeFacts& node = model.nodes()[finding.position];
  if (!node.has_bodies || !run.reference || !run.target || run.reference_model) return {};
  ArrayMap values = read_by(run, model, feeds[static_cast<size_t>(finding.sample)], node);
  std::vector<NodeFinding> guilty;
  for (int64_t iteration = 0; iteration < kIterations; ++iteration) {
    const auto body = body_model(
        model.model(), finding.position, [&](const std::string& name) { return values.find(name); },
        iteration);
    if (!body) return guilty;
    const WholeModel inner(graphsurgeon::copy(body->model), run.job.scratch, run.placement);
    const std::vector<ValueMap> feed = {body->feed};
    const std::vector<NodePart> chains = node_chains(*inner.model().graph);
    Measurements measurements;
    measure_nodes(run, inner, chains, feed, measurements, log);
    std::vector<NodeFinding> ranked = judged_findings(run, inner, chains, measurements);
    rank(ranked);
    for (NodeFinding& one : ranked) {
      if (!is_guilty(one.verdict)) break;
      for (NodeFinding& deeper : examine_bodies(run, inner, feed, one, log)) {
        one.verdict = NodeVerdict::kEncloses;
        deeper.graph = body->graph + "/" + deeper.graph;
        guilty.push_back(std::move(deeper));
      }
      one.graph = body->graph;
      one.sample = finding.sample;
      guilty.push_back(std::move(one));
    }
    if (!guilty.empty() || body->carried.empty()) return guilty;
    std::vector<std::string> outputs;
    for (const auto& [output, input] : body->carried) outputs.push_back(output);
    run_samples(
        *run.reference, inner.with_outputs(outputs), 1, 1,
        [&](int64_t, int64_t) { return body->feed; },
        [&](int64_t, int64_t, ArrayMap results) {
          for (const auto& [output, input] : body->carried) {
            if (Array* result = results.find(output)) values.set(input, std::move(*result));
          }
        },
        run.job.cancel);
  }
  return guilty;
}

}  // namespace polygraphy
