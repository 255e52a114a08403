// Finds the places where a graph has a given shape: "a Conv whose weights come
// from QuantizeLinear and DequantizeLinear, followed by Relu".
//
//   GraphPattern pattern;
//   auto x = pattern.variable();
//   auto conv = pattern.add("conv", "Conv", {x, pattern.constant("weights")});
//   auto relu = pattern.add("relu", "Relu", {conv});
//   pattern.set_output_tensors({relu});
//   for (const PatternMapping& match : pattern.match_all(*model.graph)) match.node("conv");
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/pattern/pattern_index.h"
#include "graphsurgeon/pattern/pattern_mapping.h"

namespace graphsurgeon {

// A tensor of the pattern that made it.
struct PatternTensor {
  int id = -1;
  friend bool operator==(PatternTensor, PatternTensor) = default;
};

// The outputs of a node of the pattern. A single output converts to a tensor.
class PatternOutputs {
 public:
  size_t size() const { return tensors_.size(); }
  PatternTensor operator[](size_t i) const;  // throws Error beyond the last
  operator PatternTensor() const;            // NOLINT(google-explicit-constructor): see above;
                                             // throws Error unless there is exactly one
  auto begin() const { return tensors_.begin(); }
  auto end() const { return tensors_.end(); }

 private:
  friend class GraphPattern;
  std::string node_;
  std::vector<PatternTensor> tensors_;
};

// A further condition on a node. Called for nodes with a matching operator, number of inputs and
// number of outputs, possibly several times for one node.
using NodeCheck = std::function<bool(const Node&)>;

// A value: copies share nothing, and add() copies a pattern in its current state. Every function
// throws Error, having changed nothing, for wrong arguments: a used name, a tensor of another
// pattern, a wrong number of inputs, …
class GraphPattern {
 public:
  // An input of the pattern. Any tensor fits, constants and omitted ones included; two inputs may
  // be the same tensor.
  PatternTensor variable();
  // A constant tensor, which nodes outside may use as well. Without a name it gets one from its
  // number; a name used before means the tensor made then.
  PatternTensor constant(std::string_view name = {});

  // An operator. `op` must be equal; the domain does not matter. Inputs match by position, and
  // their number must be equal too: a trailing omitted input counts.
  PatternOutputs add(std::string_view name, std::string_view op,
                     const std::vector<PatternTensor>& inputs = {}, size_t num_outputs = 1,
                     NodeCheck check = nullptr);
  // A whole pattern in the place of a node: inputs as it declares its variables, outputs as it sets
  // its output tensors.
  PatternOutputs add(std::string_view name, const GraphPattern& pattern,
                     const std::vector<PatternTensor>& inputs = {});

  // These tensors may be outputs of the graph and may have consumers outside of the pattern. Other
  // tensors that nodes of the pattern produce may not.
  void set_output_tensors(const std::vector<PatternTensor>& tensors);

  // Each node of the graph in turn is tried as the first consumer of the pattern's first variable,
  // and appears at most once as that: matches come in the order of the graph, may overlap, and a
  // symmetric pattern may be found once from either side. If several nodes fit one node of the
  // pattern, the first that leads to a whole match wins, in the order of the tensor's consumers.
  // Nested graphs are not searched; a capture there counts as a consumer outside.
  //
  // Throws Error when the pattern has no variable, when no operator consumes the first, and when
  // some node cannot be reached from it. Linear in graph and matches, plus attempts that fail deep
  // inside a pattern with several equal branches on tensors with many consumers.
  std::vector<PatternMapping> match_all(const Graph& graph) const;
  // The same with an index of the graph, for matching many patterns on one graph: it visits only
  // nodes with the first operator.
  std::vector<PatternMapping> match_all(const PatternIndex& index) const;

 private:
  friend class PatternPlan;
  friend class PatternSearch;

  struct Member {
    std::string name;
    std::string op;  // empty: a pattern
    NodeCheck check;
    std::vector<GraphPattern> pattern;  // the nested pattern, if this is one
    std::vector<int> inputs, outputs;   // tensors
  };
  struct NamedConstant {
    std::string name;
    int tensor;
  };

  int check_tensor(PatternTensor tensor, const std::string& what) const;
  PatternOutputs add_member(Member member, const std::vector<PatternTensor>& inputs,
                            size_t num_outputs);

  int num_tensors_ = 0;
  std::vector<int> variables_;
  std::vector<NamedConstant> constants_;
  std::vector<Member> members_;
  std::vector<int> outputs_;
};

}  // namespace graphsurgeon
