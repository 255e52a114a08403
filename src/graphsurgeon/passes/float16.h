// Turns a float32 model into a float16 one (--fp-to-fp16).
#pragma once

#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/passes/float16_payload.h"

namespace graphsurgeon {

struct Float16Options {
  // Operators that keep working in float32, between Cast nodes, even if the standard allows
  // float16. The default: those that onnxconverter-common keeps, BitCast, and those that ONNX
  // Runtime only has for float32.
  std::set<std::string, std::less<>> op_block_list = default_op_block_list();
  std::set<std::string, std::less<>> node_block_list = {};  // names of nodes
  std::unordered_set<const Node*> kept_nodes = {};          // of the model
  Float16Limits limits = {};

  static std::set<std::string, std::less<>> default_op_block_list();
};

// All float32 tensors of the main graph and its subgraphs become float16: weights, attributes that
// make tensors, declared types, Casts to float32. The main graph's inputs and outputs stay float32,
// and tensors that an operator only takes or gives as float32
// in the model's opset stays so, and so do nodes that call local functions, which themselves stay
// as they are, and nodes that work on sequences and optionals. Where both meet, one Cast per tensor
// stands behind its producer; a weight that is needed as both is there twice. Unchanged where
// nothing is float32; converting twice is converting once.
//
// Which tensors are float32 is inferred; results of unknown operators count as float16
// unless the model declares them. Weights are converted while they are read. O(graph).
void convert_to_float16(Model& model, const Float16Options& options, polygraphy::Logger& logger);

// Positions of the main graph's nodes that would work in float16 then, without Constants. O(graph).
std::vector<size_t> nodes_in_float16(const Model& model, const Float16Options& options,
                                     polygraphy::Logger& logger);

}  // namespace graphsurgeon
