// Finds nodes that must not be folded, even if all of their inputs are constants.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graphsurgeon/fold/fold_state.h"
#include "graphsurgeon/ir/nested_graphs.h"

namespace graphsurgeon {

// Reasons of operators that no evaluator computes.
inline constexpr std::string_view kNoSuchOperator = "the standard has no such operator";
inline constexpr std::string_view kForeignDomain = "its domain is not the standard's";

// Caches its findings about operators, functions and nested graphs.
class FoldEligibility {
 public:
  explicit FoldEligibility(const FoldState& state);

  // Why the node must not be folded; empty if it may be. Refused are quantization, results that
  // differ from run to run, references to attributes of a function, operators that neither the
  // standard nor the model defines, and nodes with any of these in their subgraphs or in the
  // functions they call. FoldOptions::exclude is not applied to the node itself.
  std::string refusal(const Node& node, const FoldScope& scope);

 private:
  std::string refusal_by_kind(const Node& node, const std::vector<OpsetImport>& imports,
                              bool in_function, int depth);
  bool is_disputed(const Node& slice) const;
  // Whether the runtime may divide the smallest integer by -1, by which processes die. Values that
  // it computes in the same run may be any; the next pass knows them. `inside`: of a function or of
  // a graph in a node.
  bool may_trap(const Node& division, bool inside) const;
  std::string_view refusal_by_operator(const Node& node, int64_t version);
  std::string refusal_of_graph(const Graph& graph, const std::vector<OpsetImport>& imports,
                               bool in_function, int depth);
  std::string refusal_of_function(const Function& function, int depth);

  const FoldState& state_;
  std::map<std::string, const Function*, std::less<>> functions_;
  std::unordered_map<const Function*, std::string> function_reasons_;
  std::unordered_map<const Graph*, std::string> graph_reasons_;
  std::map<std::pair<std::string_view, int64_t>, std::string_view> operators_;
};

}  // namespace graphsurgeon
