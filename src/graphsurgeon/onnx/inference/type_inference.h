// Each operator's inference function in turn, with our own view of the graph. Only for the sources
// of this library.
#pragma once

#include <google/protobuf/arena.h>

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/onnx/inference/body.h"
#include "graphsurgeon/onnx/inference/fresh_symbols.h"
#include "graphsurgeon/onnx/inference/node_context.h"
#include "graphsurgeon/onnx/inference/op_table.h"
#include "graphsurgeon/sizes/size_algebra.h"

namespace graphsurgeon {

struct TypeInferenceOptions {
  bool follow_values = true;  // data propagation
  bool check_types = false;   // also by the operators' type constraints
  bool write = true;          // into the tensors; false: only remember the results
};

class TypeInference {
 public:
  // `model` must outlive this.
  TypeInference(const Model& model, Opsets opsets, const TypeInferenceOptions& options);
  TypeInference(const TypeInference&) = delete;
  TypeInference& operator=(const TypeInference&) = delete;

  // Infers a node of the model's graphs, or (`function` is not null) of that function's body,
  // without writing results. If a result contradicts a declaration, the declaration stays, and
  // problems() lists the node. Never fails.
  void infer(const Node& node, const Function* function = nullptr);

  // A text per node that failed, except behind operators that are not known. May be emptied.
  std::vector<std::string>& problems() { return problems_; }
  size_t changed() const { return changed_; }  // how often a tensor was made more precise

  SizeAlgebra& sizes() { return sizes_; }
  // The facts about the body of the last infer(): of the model's graphs, or of functions. And the
  // other of the two.
  Body& body() { return is_in_function_ ? function_body_ : body_; }
  Body& other_body() { return is_in_function_ ? body_ : function_body_; }

 private:
  class SubgraphInferencer;
  OpTable& ops_of(const Function& function);
  void visit(const Node& node, Body& body);
  void attempt(const Node& node, Body& body);
  void infer(NodeContext& context);
  void infer_loop(NodeContext& context, const onnx::InferenceFunction& by_standard);
  bool find_kept_states(const Graph& graph, Body& body, std::vector<onnx::TypeProto>& states);
  bool keeps_states(const Graph& graph, Body& body, std::vector<onnx::TypeProto>& states);
  void assume_states(const Graph& graph, const std::vector<onnx::TypeProto>& states,
                     google::protobuf::Arena& arena, Body& to);
  void call(const Function& function, NodeContext& caller);
  void run(const Function& function, NodeContext& caller);
  void learn_outputs(NodeContext& context);
  void learn_values(ValueFunction follow, NodeContext& context);
  void add_problem(const Node& node, std::string_view reason);

  const Model& model_;
  TypeInferenceOptions options_;
  google::protobuf::Arena scratch_;  // for one node and nested ones
  google::protobuf::Arena lasting_;
  OpTable ops_;
  FreshSymbols symbols_;
  SizeAlgebra sizes_;
  Body body_, function_body_;
  bool is_in_function_ = false;
  std::unordered_map<std::string, FunctionRef> functions_;  // by function_id()
  std::unordered_map<const Function*, std::unique_ptr<OpTable>> ops_of_functions_;
  std::vector<const Function*> calls_;  // being entered
  size_t graph_depth_ = 0;
  size_t assumed_loops_ = 0;  // around the node that is being inferred
  size_t function_nodes_ = 0;
  size_t changed_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace graphsurgeon
