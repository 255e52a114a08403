#include "graphsurgeon/passes/unused_functions.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/nested_graphs.h"

namespace graphsurgeon {

size_t remove_unused_functions(Model& model) {
  if (model.functions.empty()) return 0;
  std::unordered_map<std::string, Function*> by_id;
  for (const FunctionRef& function : model.functions) {
    by_id.try_emplace(function_id(function->domain(), function->name(), function->overload()),
                      function.get());
  }
  std::unordered_set<const Function*> used;
  std::vector<Graph*> to_read = {model.graph.get()};
  while (!to_read.empty()) {
    Graph* root = to_read.back();
    to_read.pop_back();
    for (Graph* graph : inner_graphs_first(*root)) {
      for (const NodeRef& node : graph->nodes()) {
        const auto called = by_id.find(function_id(node->domain(), node->op(), node->overload()));
        if (called != by_id.end() && used.insert(called->second).second) {
          to_read.push_back(called->second);
        }
      }
    }
  }
  return std::erase_if(model.functions,
                       [&](const FunctionRef& function) { return !used.contains(function.get()); });
}

}  // namespace graphsurgeon
