#include "building/network.h"

#include <algorithm>

#include "building/layers.h"
#include "graphsurgeon/ir/make.h"

namespace tensorrt_double {
namespace {

using nvinfer1::ILayer;
using nvinfer1::ITensor;

// The element at the index, or null with the error that a library logs for it.
template <class List>
auto element(const List& list, int32_t index) {
  const bool known = index >= 0 && index < static_cast<int32_t>(list.size());
  return known ? list[static_cast<size_t>(index)] : nullptr;
}

}  // namespace

TensorImpl::TensorImpl(graphsurgeon::TensorRef t)
    : tensor(std::move(t)),
      name(tensor->name()),
      dims(to_dims(tensor->shape())),
      type(to_tensorrt(tensor->dtype()).value_or(nvinfer1::DataType::kFLOAT)),
      formats(1U << static_cast<int>(nvinfer1::TensorFormat::kLINEAR)) {}

void TensorImpl::setName(const char* text) {
  name = text;
  tensor->set_name(text);
}

void TensorImpl::setDimensions(const nvinfer1::Dims& value) {
  dims = value;
  graphsurgeon::DimList shape;
  for (int i = 0; i < value.nbDims; ++i) {
    shape.emplace_back(value.d[i] >= 0 ? graphsurgeon::Dim(int64_t{value.d[i]})
                                       : graphsurgeon::Dim());
  }
  tensor->set_shape(shape);
}

const char* TensorImpl::getDimensionName(int32_t index) const {
  const auto found = dimension_names.find(index);
  return found == dimension_names.end() ? nullptr : found->second.c_str();
}

ITensor* LayerImpl::getInput(int32_t index) const {
  return element(inputs, index);
}
ITensor* LayerImpl::getOutput(int32_t index) const {
  return element(outputs, index);
}

nvinfer1::DataType LayerImpl::getPrecision() const {
  return precision.value_or(nvinfer1::DataType::kFLOAT);
}

nvinfer1::DataType LayerImpl::getOutputType(int32_t index) const {
  if (const auto found = output_types.find(index); found != output_types.end()) {
    return found->second;
  }
  const ITensor* output = element(outputs, index);
  return output ? output->getType() : nvinfer1::DataType::kFLOAT;
}

NetworkImpl::NetworkImpl(Log l, nvinfer1::IBuilder* b, nvinfer1::NetworkDefinitionCreationFlags f)
    : log(l), builder(b), flags(f), model(graphsurgeon::make_model({.opset = 17})) {}

TensorImpl& NetworkImpl::tensor_for(graphsurgeon::Tensor& tensor) {
  TensorImpl*& known = by_tensor[&tensor];
  if (!known) {
    tensors.push_back(std::make_shared<TensorObject>(graphsurgeon::TensorRef(&tensor)));
    known = &tensors.back()->impl();
  }
  return *known;
}

ITensor* NetworkImpl::addInput(const char* text, nvinfer1::DataType type,
                               const nvinfer1::Dims& dims) {
  const graphsurgeon::TensorRef tensor = model.graph->variable(text, to_onnx(type));
  model.graph->mutable_inputs().push_back(tensor);
  TensorImpl& impl = tensor_for(*tensor);
  impl.is_input = true;
  impl.setDimensions(dims);
  inputs.push_back(impl.self);
  return impl.self;
}

nvinfer1::IIdentityLayer* NetworkImpl::addIdentity(ITensor& input) {
  const graphsurgeon::Tensor& from = *TensorObject::impl_of(input).tensor;
  const std::string label = fmt::format("(Unnamed Layer* {}) [Identity]", layers.size());
  const graphsurgeon::NodeRef node =
      graphsurgeon::Node::create(model.graph->store(), "Identity", label);
  node->inputs().append(TensorObject::impl_of(input).tensor);
  const graphsurgeon::TensorRef output = model.graph->variable(label + "_output", from.dtype());
  output->set_shape(from.shape());
  node->outputs().append(output);
  model.graph->append(node);
  layers.push_back(layer_for(*this, node));
  return static_cast<nvinfer1::IIdentityLayer*>(layers.back().layer);
}

void NetworkImpl::markOutput(ITensor& tensor) {
  TensorImpl& impl = TensorObject::impl_of(tensor);
  if (impl.is_output) return;
  if (impl.is_input) {
    log.error(4,
              fmt::format("INetworkDefinition::markOutput: Error Code 4: API Usage Error (Failed "
                          "attempt to set a tensor {} as network-level output. It was previously "
                          "set as a network-level input.)",
                          impl.name));
    return;
  }
  impl.is_output = true;
  outputs.push_back(&tensor);
}

void NetworkImpl::unmarkOutput(ITensor& tensor) {
  TensorObject::impl_of(tensor).is_output = false;
  std::erase(outputs, &tensor);
}

ILayer* NetworkImpl::getLayer(int32_t index) const {
  const bool known = index >= 0 && index < getNbLayers();
  return known ? layers[static_cast<size_t>(index)].layer : nullptr;
}
ITensor* NetworkImpl::getInput(int32_t index) const {
  return element(inputs, index);
}
ITensor* NetworkImpl::getOutput(int32_t index) const {
  return element(outputs, index);
}

bool NetworkImpl::markDebug(ITensor& tensor) {
  return TensorObject::impl_of(tensor).is_debug = true;
}
bool NetworkImpl::unmarkDebug(ITensor& tensor) {
  TensorObject::impl_of(tensor).is_debug = false;
  return true;
}
bool NetworkImpl::isDebugTensor(const ITensor& tensor) const {
  return TensorObject::impl_of(tensor).is_debug;
}

}  // namespace tensorrt_double
