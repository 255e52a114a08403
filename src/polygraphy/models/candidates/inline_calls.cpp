#include "polygraphy/models/candidates/inline_calls.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/error.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/passes/inline_functions.h"

namespace polygraphy {
namespace {

using graphsurgeon::Function;
using graphsurgeon::Graph;
using graphsurgeon::Model;

// Functions that lead back to themselves: the standard forbids them, and their calls have no end.
// O(functions x nodes in functions).
std::set<const Function*> endless_functions(const Model& model) {
  std::map<const Function*, std::set<const Function*>> called;
  for (const auto& function : model.functions) {
    for (Graph* graph : graphsurgeon::inner_graphs_first(*function)) {
      for (const auto& node : graph->nodes()) {
        if (const Function* other = graphsurgeon::called_function(model, *node))
          called[function.get()].insert(other);
      }
    }
  }
  std::set<const Function*> endless;
  for (const auto& function : model.functions) {
    std::set<const Function*> reached;
    std::vector<const Function*> to_follow = {function.get()};
    while (!to_follow.empty()) {
      const Function* next = to_follow.back();
      to_follow.pop_back();
      for (const Function* other : called[next]) {
        if (reached.insert(other).second) to_follow.push_back(other);
      }
    }
    if (reached.contains(function.get())) endless.insert(function.get());
  }
  return endless;
}

// The nodes of the main graph and of bodies, when these calls are replaced.
size_t size_after(const Model& model, const std::vector<Call>& calls) {
  const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(*model.graph);
  size_t size = 0;
  for (const Graph* graph : graphs) size += graph->nodes().size();
  for (const Call& call : calls) {
    const auto& node = graphs[call.graph]->nodes()[call.node];
    size += graphsurgeon::called_function(model, *node)->nodes().size();
  }
  return size;
}

}  // namespace

std::vector<Call> calls_in(const Model& model) {
  std::vector<Call> result;
  if (model.functions.empty()) return result;
  const std::set<const Function*> endless = endless_functions(model);
  const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(*model.graph);
  for (size_t g = graphs.size(); g-- > 0;) {
    for (size_t n = 0; n < graphs[g]->nodes().size(); ++n) {
      const graphsurgeon::Node& node = *graphs[g]->nodes()[n];
      if (!graphsurgeon::can_be_inlined(model, node)) continue;
      if (!endless.contains(graphsurgeon::called_function(model, node))) result.push_back({g, n});
    }
  }
  return result;
}

void inline_calls(Model& model, const std::vector<Call>& calls) {
  const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(*model.graph);
  graphsurgeon::TensorNames taken = graphsurgeon::tensor_names(*model.graph);
  for (size_t end = calls.size(); end > 0;) {
    const size_t graph = calls[end - 1].graph;
    size_t begin = end;
    while (begin > 0 && calls[begin - 1].graph == graph) --begin;
    std::vector<size_t> positions;
    for (size_t i = begin; i < end; ++i) positions.push_back(calls[i].node);
    graphsurgeon::inline_calls(model, *graphs[graph], positions, taken);
    end = begin;
  }
}

void inline_all_calls(Model& model, size_t most) {
  for (std::vector<Call> calls = calls_in(model); !calls.empty(); calls = calls_in(model)) {
    if (size_after(model, calls) > most) {
      throw Error(
          fmt::format("Inlining the model's functions would give more than {} nodes", most));
    }
    inline_calls(model, calls);
  }
}

}  // namespace polygraphy
