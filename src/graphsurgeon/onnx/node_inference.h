// Types, shapes and small values, node by node: so that one ordered sweep can infer and fold
// together. The inference functions of the operators are the onnx library's.
#pragma once

#include <memory>
#include <string>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "graphsurgeon/sizes/known_values.h"

namespace graphsurgeon {

class NodeInference {
 public:
  // `model` and `logger` must outlive this. Facts are kept per Tensor object: types and shapes in
  // the tensors themselves, so that whatever the model declares, and constants as they are at the
  // time of the call, count as known. Opset imports and local functions are those that the model
  // has now. Models that do not import the default domain but use it are taken to mean version 1
  // (IR version < 3) or the newest, with a warning.
  NodeInference(Model& model, polygraphy::Logger& logger);
  ~NodeInference();
  NodeInference(const NodeInference&) = delete;
  NodeInference& operator=(const NodeInference&) = delete;

  // Infers the outputs of one node, its subgraphs included, from the facts about its inputs, and
  // writes new facts into the tensors: declared types and dimensions are made more precise, never
  // contradicted; dimensions without a name that are equal wherever they appear get one ("unk__0").
  // Returns one line per failure: of the operator's inference, which leaves the node's outputs
  // unchanged, or of nested nodes ("m.onnx: node 'mul' (MatMul): …"); empty: no failure. Nodes of
  // unknown operators leave their outputs unchanged. Call it in the order of the graph. O(node and
  // nested nodes).
  std::string infer(Node& node);
  // The same for a node of a function's body, independent of any call. Its tensors are not written:
  // only elements() returns facts about them. Nodes with attributes that callers set are skipped.
  std::string infer(Node& node, const Function& function);

  // Names for open dimensions of an input of the model that have none, so that dimensions which are
  // equal to these are known to be equal. The tensor is not written.
  void name_dims(const Tensor& input, const DimList& names);

  // The elements of an integer (or bool: 0 and 1) tensor of rank 0 or 1 as far as they are known,
  // constants and outputs of Constant nodes included: one Dim per element, which may be a number,
  // the name of a dimension, or unknown. Null: nothing is known, or there are more than 1024. Valid
  // until the next call of anything here.
  const DimList* elements(const Tensor& tensor);
  // The same for tensors of every rank, and fractions; unknown elements where nothing else is known
  // of a small tensor of integers.
  std::optional<KnownValues> known_values(const Tensor& tensor);
  SizeAlgebra& sizes();
  // For rules that know more than the operator's own data propagation. Replaces known values; lists
  // that are too long are left out. Constants keep their values. Of a tensor in the body that the
  // last infer() was about: the model's graphs, or a function's.
  void set_elements(Tensor& tensor, DimList elements);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graphsurgeon
