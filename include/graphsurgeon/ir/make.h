// Models and functions from nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/ir/layer.h"

namespace graphsurgeon {

inline constexpr int64_t kDefaultOpset = 11;

struct ModelOptions {
  int64_t opset = kDefaultOpset;
  // 0: version 10, which has functions and every element type but float4 and float8e8m0, or the
  // version of the opset's release if that is newer.
  int64_t ir_version = 0;
  std::string_view name = "onnx_graphsurgeon_graph";
  std::string_view doc_string = {};
  std::string_view producer_name = {};
  std::string_view producer_version = {};
};

// A model with an empty graph in a new store.
Model make_model(const ModelOptions& options = {});

// A graph for an attribute of a node (a branch, a loop's body): in the store of the graph around
// it. Its nodes may read that graph's tensors.
GraphRef make_subgraph(Graph& outer, std::string_view name = "onnx_graphsurgeon_graph");

struct FunctionOptions {
  std::string_view name;
  std::string_view domain = "onnx_graphsurgeon";
  std::string_view doc_string = {};
  std::optional<int64_t> opset = std::nullopt;  // of the model
  // Attributes of the function: those without a value must be given by every node that calls it.
  // Nodes inside refer to them with AttributeRef.
  std::vector<NamedArg> attrs = {};
};

// An empty function in the store of the model's graph, appended to model.functions. Throws Error
// when the model has one of that domain and name. Constants that its nodes use are written as
// Constant nodes.
FunctionRef make_function(Model& model, const FunctionOptions& options);

// Appends a node that calls `function`; like layer() otherwise: op and domain are the function's.
// Without outputs, it makes one for each output of the function, named after it. New outputs take
// type and shape from the function. Logs a warning to `logger` (may be null) if the number of
// inputs or outputs differs from the function's, or if attributes are given and a required one is
// missing.
TensorList& call_function(Graph& graph, const Function& function, Layer layer,
                          polygraphy::Logger* logger = nullptr);

}  // namespace graphsurgeon
