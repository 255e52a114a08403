#include "polygraphy/diagnosis/locate/models/body_model.h"

#include <numeric>
#include <unordered_map>

#include "graphsurgeon/ir/copy.h"
#include "polygraphy/models/candidates/inline_body.h"
#include "polygraphy/models/parts/exploded_model.h"

namespace polygraphy {
namespace {

using graphsurgeon::Graph;
using graphsurgeon::Model;
using graphsurgeon::NodeRef;
using graphsurgeon::Tensor;
using graphsurgeon::TensorRef;

constexpr size_t kLoopState = 2;  // behind the number of iterations and the condition

}  // namespace

std::optional<BodyModel> body_model(const Model& model, size_t position,
                                    const std::function<const Array*(const std::string&)>& value,
                                    int64_t iteration) {
  Model whole = graphsurgeon::copy(model);
  Graph& graph = *whole.graph;
  const NodeRef node = graph.nodes()[position];
  if (bodies_of(*node) == 0) return std::nullopt;
  const std::string op(node->op());
  size_t body = 0;
  std::string name = "body";
  if (op == "If") {
    const Tensor* condition = node->inputs().empty() ? nullptr : node->inputs()[0];
    if (!condition) return std::nullopt;
    const Array* given = value(std::string(condition->name()));
    const Array taken = given ? *given : condition->is_constant() ? condition->values() : Array();
    if (taken.size() != 1) return std::nullopt;
    body = taken.get_int64(0) != 0 ? 0 : 1;
    name = body == 0 ? "then_branch" : "else_branch";
  }
  BodyModel result;
  result.graph = std::string(node->name()) + "/" + name;
  std::unordered_map<std::string, Array> states;  // that were constants
  std::vector<std::pair<std::string, std::string>> carried;
  if (op == "Loop") {
    for (size_t i = kLoopState; i < node->inputs().size(); ++i) {
      Tensor* state = node->inputs()[i];
      if (state->is_empty() || i - kLoopState >= node->outputs().size()) return std::nullopt;
      if (state->is_constant()) {
        const Array first = state->values();
        const TensorRef variable =
            graph.variable(std::string(state->name()) + "/state", first.dtype());
        states[std::string(variable->name())] = first;
        node->inputs().set(i, variable);
        state = node->inputs()[i];
      }
      carried.emplace_back(node->outputs()[i - kLoopState]->name(), state->name());
    }
  }
  const size_t before = graph.nodes().size();
  if (!inline_body(whole, graph, position, body, iteration)) return std::nullopt;
  NodePart inside(graph.nodes().size() + 1 - before);
  std::iota(inside.begin(), inside.end(), position);
  if (inside.empty()) return std::nullopt;

  const auto value_of = [&](const std::string& tensor) -> const Array* {
    if (const Array* given = value(tensor)) return given;
    const auto state = states.find(tensor);
    return state == states.end() ? nullptr : &state->second;
  };
  ExplodedModel exploded = explode(whole, {inside}, value_of);
  for (const std::string& input : exploded.inputs) {
    const Array* given = value_of(input);
    if (!given) return std::nullopt;
    result.feed.set(input, *given);
  }
  for (const auto& [output, input] : carried) {
    for (const ExplodedOutput& visible : exploded.outputs) {
      if (visible.tensor == output) result.carried.emplace_back(visible.name, input);
    }
  }
  if (result.carried.size() != carried.size()) result.carried.clear();
  result.model = std::move(exploded.model);
  return result;
}

}  // namespace polygraphy
