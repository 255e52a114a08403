// The description of one node, for Graph::layer().
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "graphsurgeon/ir/arg.h"

namespace graphsurgeon {

// graph.layer({.op = "Clip", .inputs = {x, 0.f, 6.f}, .outputs = {"clipped"}})
//
// Each input or output is
//   a tensor             itself (a list of tensors: each of them)
//   a text               a new variable, with a name generated from it: "clipped_0"
//   an array or payload  a new constant "onnx_graphsurgeon_constant_0"
//   a number or a list   a new constant "onnx_graphsurgeon_lst_constant_0" of rank 0 or 1: float32
//                        if it holds a float, else int64
//   {}                   omitted
// Texts are read during the call only.
struct Layer {
  std::string_view op = {};
  std::vector<Arg> inputs = {};
  std::vector<Arg> outputs = {};
  std::vector<NamedArg> attrs = {};
  // Not given: "onnx_graphsurgeon_node_0".
  std::optional<std::string_view> name = std::nullopt;
  std::string_view domain = {};
};

}  // namespace graphsurgeon
