// Calls of local functions become the functions' nodes, which can be taken away one by one.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/silent_log.h"
#include "graphsurgeon/io/model_visitor.h"
#include "graphsurgeon/ir/copy.h"
#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/nested_graphs.h"
#include "graphsurgeon/onnx/shape_inference.h"
#include "graphsurgeon/passes/inline_functions.h"
#include "polygraphy/reduce/candidates/prune_unused.h"
#include "polygraphy/reduce/intermediates/describe.h"
#include "polygraphy/reduce/node_search.h"
#include "polygraphy/reduce/shrinker.h"

namespace polygraphy {
namespace {

using graphsurgeon::Function;
using graphsurgeon::Graph;
using graphsurgeon::Model;

constexpr int kDeepest = 100;  // of calls in functions that are called

// A call, in this model and in copies of it.
struct Call {
  size_t graph = 0;  // of inner_graphs_first()
  size_t node = 0;
};

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

// In the main graph and in bodies: those that can be replaced.
std::vector<Call> calls(const Model& model) {
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

// Of the functions that are no more.
void drop_unused_imports(Model& model) {
  const auto is_used = [&](const graphsurgeon::OpsetImport& import) {
    if (graphsurgeon::is_default_domain(import.domain)) return true;
    for (const Graph* graph : graphsurgeon::all_graphs(model)) {
      for (const auto& node : graph->nodes()) {
        if (node->domain() == import.domain) return true;
      }
    }
    return false;
  };
  std::erase_if(model.opset_imports, [&](const auto& import) { return !is_used(import); });
}

Model without(const Model& model, const std::vector<Call>& calls, ShrinkTools& tools) {
  Model candidate = graphsurgeon::copy(model);
  const std::vector<Graph*> graphs = graphsurgeon::inner_graphs_first(*candidate.graph);
  // The last ones of a graph first, so that positions stay.
  for (size_t i = calls.size(); i-- > 0;) {
    graphsurgeon::inline_call(candidate, *graphs[calls[i].graph], calls[i].node);
  }
  // What was inside may become an input next.
  graphsurgeon::infer_shapes(candidate, {}, log_or_silence(nullptr));
  keep_unread(candidate);
  prune_unused(candidate);
  drop_unused_imports(candidate);
  describe_interface(candidate, tools.intermediates, tools.log);
  return candidate;
}

// All calls at once, else one of them.
std::unique_ptr<Model> inline_some(const Model& model, ShrinkTools& tools) {
  const std::string key = structure_key(model) + ": ";
  const std::vector<Call> all = calls(model);
  std::vector<std::vector<Call>> tries = {all};
  if (all.size() > 1) {
    for (const Call& call : all) tries.push_back({call});
  }
  for (size_t i = 0; i < tries.size() && !all.empty(); ++i) {
    const bool fails = tools.test.fails(
        {.key = key + "calls " + std::to_string(i),
         .about = "Putting the nodes of functions in the place of " +
                  (i == 0 ? std::to_string(all.size()) : "1") + " of " +
                  std::to_string(all.size()) + " calls",
         .make = [&model, &tools, &tries, i] { return without(model, tries[i], tools); }});
    if (fails) return std::make_unique<Model>(without(model, tries[i], tools));
  }
  return nullptr;
}

std::unique_ptr<Model> shrink(const Model& model, ShrinkTools& tools) {
  std::unique_ptr<Model> result;
  for (int depth = 0; depth < kDeepest; ++depth) {
    auto found = inline_some(result ? *result : model, tools);
    if (!found) break;
    result = std::move(found);
    if (auto fewer = fewest_nodes(*result, tools)) result = std::move(fewer);
  }
  return result;
}

}  // namespace

extern const Shrinker shrinker_functions;
constinit const Shrinker shrinker_functions = {
    .name = "functions", .phrase = "Taking nodes out of functions", .order = 30, .shrink = shrink};

}  // namespace polygraphy
