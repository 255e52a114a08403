// Names of tensors as ONNX scopes them, while a model is read.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "graphsurgeon/io/tensor_name_map.h"
#include "graphsurgeon/ir/access.h"

namespace graphsurgeon {

// The tensors of a graph that is being read, by name, and those of the graphs around it. Tensors
// that are made here belong to the caller, who puts them into a Ref before anything can throw.
class TensorScope {
 public:
  // `outer`: the scope of the enclosing graph; null: no enclosing graph.
  TensorScope(Store& store, std::shared_ptr<TensorScope> outer)
      : store_(store), outer_(std::move(outer)) {}

  bool is_nested() const { return outer_ != nullptr; }
  const TensorNameMap& names() const { return names_; }
  // Another tensor of that name.
  Tensor* create(std::string_view name) { return TensorAccess::create(store_, name); }
  // The tensor of this graph; created if missing.
  Tensor* local(const Name& name);
  // The tensor of this graph, else of the nearest enclosing graph, else a new one of this graph.
  Tensor* resolve(const Name& name);

 private:
  Store& store_;
  std::shared_ptr<TensorScope> outer_;
  TensorNameMap names_;
};

}  // namespace graphsurgeon
