// Types, shapes and small values, node by node: so that one ordered sweep can infer and fold
// together (DESIGN 5).
#pragma once

#include <memory>
#include <string>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

class NodeInference {
 public:
  // `model` and `logger` must outlive this. Facts are kept per Tensor object; what the model
  // declares, and constants as they are at the time of the call, count as known.
  NodeInference(Model& model, polygraphy::Logger& logger);
  ~NodeInference();
  NodeInference(const NodeInference&) = delete;
  NodeInference& operator=(const NodeInference&) = delete;

  // Infers the outputs of one node, its subgraphs included, from what is known of its inputs, and
  // writes what is new into the tensors, as infer_shapes() does: declared types and dimensions are
  // made more precise, never contradicted. Returns a text if the operator's inference failed, else
  // an empty one; nothing is written then. Call it in the order of the graph. O(node).
  std::string infer(Node& node);

  // The elements of an integer tensor of rank 0 or 1 as far as they are known (constants included);
  // null: nothing is known, or there are more than 1024. Valid until the next call.
  const DimList* elements(const Tensor& tensor);
  // For rules that know more than the operator's own data propagation.
  void set_elements(const Tensor& tensor, DimList elements);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace graphsurgeon
