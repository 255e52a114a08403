// Fresh names for unnamed dimensions. Only for the sources of this library.
#pragma once

#include <onnx/defs/shape_inference.h>

#include <string>
#include <unordered_set>

#include "graphsurgeon/ir/graph.h"

namespace graphsurgeon {

// "unk__0", "unk__1" …, none of which the model uses.
class FreshSymbols final : public onnx::SymbolTable {
 public:
  // `model` must outlive this. It is searched, O(model), for the first name only.
  explicit FreshSymbols(const Model& model) : model_(model) {}

  std::string createNew(const std::string& prefix) override;
  void addFromGraph(const onnx::GraphProto&) override {}
  // For names that are used no more: those since mark() are given again.
  unsigned mark() const { return next_; }
  void rewind(unsigned mark) { next_ = mark; }

 private:
  void collect(const std::string& prefix);

  const Model& model_;
  std::unordered_set<std::string> taken_;
  bool collected_ = false;
  unsigned next_ = 0;
};

}  // namespace graphsurgeon
