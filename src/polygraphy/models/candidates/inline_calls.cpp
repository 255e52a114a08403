#include "polygraphy/models/candidates/inline_calls.h"

#include <map>
#include <set>

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
  // The last ones of a graph first, so that positions stay.
  for (size_t i = calls.size(); i-- > 0;) {
    graphsurgeon::inline_call(model, *graphs[calls[i].graph], calls[i].node);
  }
}

void inline_all_calls(Model& model) {
  for (std::vector<Call> calls = calls_in(model); !calls.empty(); calls = calls_in(model))
    inline_calls(model, calls);
}

}  // namespace polygraphy
