// The state that the parts of one folding pass share: decided values, foldable nodes, rewrites.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graphsurgeon/fold/fold.h"
#include "graphsurgeon/fold/rule.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// A graph in which is folded: the main graph, one nested in it, or a function's.
struct FoldScope {
  Graph* graph = nullptr;
  const std::vector<OpsetImport>* imports = nullptr;
  int64_t opset = 0;                   // of the default domain; 0: not imported
  size_t part = 0;                     // the main graph with nested graphs, or a function
  bool constants_are_nodes = false;    // functions have no initializers; nor nested graphs in IR 3
  bool constants_are_inputs = false;   // in IR 3 each initializer is an input
  const Function* function = nullptr;  // the owner of this body
};

// A node with decided inputs: its outputs may become constants, at the end of the sweep.
struct FoldEntry {
  enum class Fate : uint8_t { kOpen, kAccepted, kRefused };
  NodeRef node;
  FoldScope* scope = nullptr;
  const FoldRule* rule = nullptr;     // that computed `values`; null: the evaluator has to
  std::vector<PayloadPtr> values;     // by output
  std::vector<const Tensor*> inputs;  // each once, with its subgraphs' captures
  int64_t bytes = -1;                 // of all outputs; -1: not known
  Fate fate = Fate::kOpen;
  bool is_too_large = false;  // refused from the start: not computed, nothing behind it is decided
  bool is_beyond_memory = false;  // of FoldOptions::memory_limit; too large as well
  std::string why;                // it is refused
};

struct FoldState {
  FoldState(Model& m, const FoldOptions& o, polygraphy::Logger& l)
      : model(m), options(o), logger(l) {}

  Model& model;
  const FoldOptions& options;
  polygraphy::Logger& logger;
  FoldReport report;

  std::deque<FoldScope> scopes;
  std::vector<FoldEntry> entries;  // in the order of the sweep

  struct Fact {
    PayloadPtr
        value;  // decided, and not written into the tensor; null: the entry has to be evaluated
    int32_t entry = -1;
  };
  std::unordered_map<const Tensor*, Fact> facts;
  // Nodes of entries, those in their subgraphs included.
  std::unordered_map<const Node*, int32_t> entry_of;
  std::unordered_set<const Tensor*> outputs;      // of any graph
  std::unordered_set<const Tensor*> overridable;  // initializers that callers may replace
  std::unordered_set<const Tensor*> defaults;  // those that count as constants, and were not used

  PayloadPtr value(const Tensor& tensor) const {
    if (tensor.is_constant()) return overridable.contains(&tensor) ? nullptr : tensor.payload();
    const auto found = facts.find(&tensor);
    return found == facts.end() ? nullptr : found->second.value;
  }
  // Decided, or computable.
  bool is_decided(const Tensor& tensor) const {
    if (tensor.is_constant()) return !overridable.contains(&tensor);
    return facts.contains(&tensor);
  }
  bool is_skipped(const FoldRule& rule) const {
    return std::find(options.skip_rules.begin(), options.skip_rules.end(), rule.name) !=
           options.skip_rules.end();
  }
  bool may_rewrite() const {
    return static_cast<int64_t>(report.rewrites.size()) < options.max_rewrites;
  }

  // The node's outputs become constants and lose it. In a scope where constants are nodes, the new
  // Constant nodes are returned, to be put before the node.
  std::vector<NodeRef> write(FoldScope& scope, Node& node, const std::vector<PayloadPtr>& values,
                             std::string_view rule);
  // `tensor` has no producer.
  std::vector<NodeRef> add_constant(FoldScope& scope, Tensor& tensor, const PayloadPtr& values);
  void refuse(const Node& node, int64_t bytes, std::string why, bool for_memory = false);
};

// Bytes in a file.
int64_t stored_bytes(const Payload& payload);
// Of all constants that some output of the model or of a function depends on. O(nodes).
int64_t live_constant_bytes(const Model& model);

}  // namespace graphsurgeon
