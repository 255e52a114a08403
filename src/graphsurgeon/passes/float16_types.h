// Types for the float16 conversion: of tensors, and of the inputs and outputs of operators.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// Types of all tensors of the main graph and its subgraphs, inferred on a copy: the model itself
// stays as it is.
class TensorTypes {
 public:
  TensorTypes(const Model& model, polygraphy::Logger& logger);

  bool is_float32(const Tensor& tensor) const { return float32_.contains(&tensor); }
  // A sequence, an optional, a map, …
  bool is_no_tensor(const Tensor& tensor) const { return no_tensors_.contains(&tensor); }
  // The type is unknown: behind unknown operators.
  bool is_unknown(const Tensor& tensor) const { return unknown_.contains(&tensor); }

 private:
  void take(const Tensor& tensor, const Tensor& inferred);

  std::unordered_set<const Tensor*> float32_, no_tensors_, unknown_;
};

// The precision of one slot of a node.
enum class Precision : uint8_t {
  kFloat16,  // float16 will do, if all slots of the same type variable agree
  kFloat32,  // only float32
  kEither,   // any type, independent of the other slots
};

// The slots of the operators of one model.
class OperatorTypes {
 public:
  explicit OperatorTypes(const Model& model);

  // Of a node that the standard knows; kFloat16 for all others.
  Precision input(const Node& node, size_t slot);
  Precision output(const Node& node, size_t slot);
  // A call of one of the model's functions.
  bool is_call(const Node& node) const;

 private:
  struct Slots {
    std::vector<Precision> inputs, outputs;  // the last one stands for all that follow
  };
  const Slots& slots_of(const Node& node);
  Slots look_up(const Node& node) const;

  std::unordered_map<std::string, int64_t> opsets_;
  std::unordered_set<std::string> functions_;  // "domain:name"
  std::unordered_map<std::string, Slots> slots_;
};

}  // namespace graphsurgeon
