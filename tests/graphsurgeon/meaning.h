// The function of a model as text: the outputs as expressions of inputs and constants, independent
// of names and order of nodes.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "graphsurgeon/graphsurgeon.h"

namespace graphsurgeon {

class Meaning {
 public:
  size_t of(const Graph& graph) {
    size_t all = 1;
    for (const TensorRef& t : graph.outputs()) all = mix(all, of(*t));
    return all;
  }

  size_t of(const Tensor& tensor) {
    const auto known = known_.find(&tensor);
    if (known != known_.end()) return known->second;
    size_t value = 0;
    if (tensor.is_constant()) {
      value = of(tensor.values());
    } else if (const Node* node = tensor.producer()) {
      // A constant of a function.
      if (const Attribute* values = node->attribute("value"); node->op() == "Constant" && values) {
        return of(std::get<TensorValue>(values->value).values->load(""));
      }
      value = of(*node);
      for (size_t i = 0; node->outputs()[i] != &tensor; ++i) value = mix(value, i);
    } else {
      value = std::hash<std::string_view>()(tensor.name());
    }
    known_.emplace(&tensor, value);
    return value;
  }

 private:
  static size_t hash(double value) { return std::hash<double>()(value); }
  static size_t mix(size_t a, size_t b) { return (a ^ (b + 0x9e3779b97f4a7c15u)) * 0x100000001b3u; }

  static size_t of(const Array& array) {
    size_t value = 3;
    for (int64_t i = 0; i < array.size(); ++i) value = mix(value, hash(array.get_double(i)));
    return value;
  }

  size_t of(const Node& node) {
    size_t value = std::hash<std::string_view>()(node.op());
    for (const Tensor* t : node.inputs()) value = mix(value, t->is_empty() ? 7 : of(*t));
    for (const GraphRef& g : node.subgraphs()) value = mix(value, of(*g));
    return value;
  }

  std::unordered_map<const Tensor*, size_t> known_;
};

inline size_t meaning_of(const Model& model) {
  size_t all = Meaning().of(*model.graph);
  for (const FunctionRef& f : model.functions) all ^= Meaning().of(*f);
  return all;
}

}  // namespace graphsurgeon
