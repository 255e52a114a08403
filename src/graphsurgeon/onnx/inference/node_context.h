// The onnx library's view of a node, for its inference functions. Only for the sources of this
// library.
#pragma once

#include <onnx/defs/shape_inference.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "graphsurgeon/onnx/inference/body.h"

namespace graphsurgeon {

// For an operator's inference function. Messages are made on first use.
class NodeContext final : public onnx::InferenceContext {
 public:
  // Makes the inferencer of a subgraph of the node.
  using Inferencers = std::function<std::unique_ptr<onnx::GraphInferencer>(Graph&)>;

  NodeContext(const Node& node, Body& body, const Inferencers& inferencers);

  const onnx::AttributeProto* getAttribute(const std::string& name) const override;
  size_t getNumInputs() const override { return inputs_.size(); }
  // Null for omitted inputs only: some inference functions do not look before they use it.
  const onnx::TypeProto* getInputType(size_t i) const override;
  bool hasInput(size_t i) const override;
  const onnx::TensorProto* getInputData(size_t i) const override;
  const onnx::SparseTensorProto* getInputSparseData(size_t) const override { return nullptr; }
  const onnx::TensorShapeProto* getSymbolicInput(size_t i) const override;
  size_t getNumOutputs() const override { return outputs_.size(); }
  onnx::TypeProto* getOutputType(size_t i) override;
  bool hasOutput(size_t i) override;
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override;
  std::string getDisplayName() const override;

  const Node& node() const { return node_; }
  Body& body() const { return body_; }
  // Null for outputs that the function has not requested.
  onnx::TypeProto* found(size_t i) const { return outputs_[i]; }
  // Of the inputs that are there, all have a known type.
  bool are_inputs_typed() const;

 private:
  struct Input {
    const onnx::TypeProto* type = nullptr;
    const onnx::TensorProto* values = nullptr;
    const onnx::TensorShapeProto* symbolic = nullptr;
    bool knows_type = false, knows_values = false, knows_symbolic = false;  // computed before
  };
  Input& input(size_t i) const;

  const Node& node_;
  Body& body_;
  const Inferencers& make_inferencer_;
  mutable std::vector<Input> inputs_;
  std::vector<onnx::TypeProto*> outputs_;
  mutable std::vector<std::pair<const Attribute*, const onnx::AttributeProto*>> attributes_;
  std::vector<std::unique_ptr<onnx::GraphInferencer>> inferencers_;
};

}  // namespace graphsurgeon
