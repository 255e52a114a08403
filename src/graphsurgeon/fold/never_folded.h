// Nodes that stay whatever is known of their inputs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graphsurgeon/fold/fold_state.h"
#include "graphsurgeon/ir/scopes.h"

namespace graphsurgeon {

// Remembers what it found out about operators, functions and nested graphs.
class NeverFolded {
 public:
  explicit NeverFolded(const FoldState& state);

  // Why the node stays; empty when it may be folded: quantization, results that differ from run to
  // run, references to attributes of a function, operators of domains that are not the standard's
  // and that the model does not define, and the same inside its subgraphs and the functions it
  // calls. FoldOptions::exclude is not asked for the node itself.
  std::string why(const Node& node, const FoldScope& scope);

 private:
  std::string why_by_kind(const Node& node, const std::vector<OpsetImport>& imports,
                          bool in_function, int depth);
  std::string_view why_by_operator(const Node& node, int64_t version);
  std::string why_graph(const Graph& graph, const std::vector<OpsetImport>& imports,
                        bool in_function, int depth);
  std::string why_function(const Function& function, int depth);

  const FoldState& state_;
  std::map<std::string, const Function*, std::less<>> functions_;
  std::unordered_map<const Function*, std::string> function_reasons_;
  std::unordered_map<const Graph*, std::string> graph_reasons_;
  std::map<std::pair<std::string_view, int64_t>, std::string_view> operators_;
};

}  // namespace graphsurgeon
