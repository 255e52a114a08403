#include "building/layers.h"

#include <deque>

#include "building/attention.h"
#include "building/operators.h"
#include "graphsurgeon/ir/node.h"

namespace tensorrt_double {
namespace {

using nvinfer1::Dims;
using nvinfer1::LayerType;

// Properties of layers of one type, read from the attributes of the node. Functions of all types:
// each interface finds its own.
struct TypeImpl {
  graphsurgeon::NodeRef node;
  OperatorLayer layer;
  mutable std::deque<polygraphy::Array> arrays = {};
  nvinfer1::Permutation first = {}, second = {{0, 1, 2, 3, 4, 5, 6, 7}};

  Dims ints(const char* name) const {
    Dims dims{};
    const graphsurgeon::Attribute* attribute = node->attribute(name);
    const auto* values = attribute ? std::get_if<std::vector<int64_t>>(&attribute->value) : nullptr;
    if (!values || values->size() > Dims::MAX_DIMS) return dims;
    dims.nbDims = static_cast<int32_t>(values->size());
    std::copy(values->begin(), values->end(), dims.d);
    return dims;
  }
  int64_t number(const char* name, int64_t fallback) const {
    const graphsurgeon::Attribute* attribute = node->attribute(name);
    const auto* value = attribute ? std::get_if<int64_t>(&attribute->value) : nullptr;
    return value ? *value : fallback;
  }
  float real(const char* name, float fallback) const {
    const graphsurgeon::Attribute* attribute = node->attribute(name);
    const auto* value = attribute ? std::get_if<float>(&attribute->value) : nullptr;
    return value ? *value : fallback;
  }
  // The first or second half of "pads".
  Dims padding(bool behind) const {
    const Dims pads = ints("pads");
    Dims half{};
    half.nbDims = pads.nbDims / 2;
    for (int i = 0; i < half.nbDims; ++i) half.d[i] = pads.d[i + (behind ? half.nbDims : 0)];
    return half;
  }
  // They live as long as the layer.
  nvinfer1::Weights weights_of(const graphsurgeon::Payload* payload) const {
    nvinfer1::Weights result{nvinfer1::DataType::kFLOAT, nullptr, 0};
    if (!payload || !to_tensorrt(payload->dtype())) return result;
    arrays.push_back(payload->load("").contiguous_aligned());
    return {*to_tensorrt(payload->dtype()), arrays.back().data(), arrays.back().size()};
  }
  nvinfer1::Weights weights(size_t input) const {
    const bool known = input < node->inputs().size() && node->inputs()[input]->is_constant();
    return weights_of(known ? node->inputs()[input]->payload().get() : nullptr);
  }
  // Of small lists among the inputs, as newer opsets have them instead of attributes.
  Dims input_dims(size_t input) const {
    Dims dims{};
    if (input >= node->inputs().size() || !node->inputs()[input]->is_constant()) return dims;
    const auto list = node->inputs()[input]->payload()->load("");
    dims.nbDims = static_cast<int32_t>(std::min<int64_t>(list.size(), Dims::MAX_DIMS));
    for (int i = 0; i < dims.nbDims; ++i) dims.d[i] = list.get_int64(i);
    return dims;
  }
  uint32_t mask_of(const Dims& axes) const {
    const auto rank =
        static_cast<int64_t>(node->inputs()[0]->shape().value_or(graphsurgeon::DimList()).size());
    uint32_t mask = 0;
    for (int i = 0; i < axes.nbDims; ++i)
      mask |= 1U << (axes.d[i] < 0 ? axes.d[i] + rank : axes.d[i]);
    return mask;
  }

  AnyNumber getOperation() const { return {layer.operation}; }
  AnyNumber getActivationType() const { return {layer.operation}; }
  AnyNumber getPoolingType() const { return {layer.operation}; }
  Dims getKernelSizeNd() const { return ints("kernel_shape"); }
  Dims getWindowSizeNd() const { return ints("kernel_shape"); }
  Dims getStrideNd() const { return ints("strides"); }
  Dims getDilationNd() const { return ints("dilations"); }
  Dims getPaddingNd() const { return padding(false); }
  Dims getPrePadding() const { return padding(false); }
  Dims getPostPadding() const { return padding(true); }
  int64_t getNbGroups() const { return number("group", 1); }
  int64_t getNbOutputMaps() const {
    const auto& weight = node->inputs()[1];
    return weight->is_constant() && !weight->payload()->shape().empty()
               ? weight->payload()->shape()[0]
               : 0;
  }
  nvinfer1::Weights getKernelWeights() const { return weights(1); }
  nvinfer1::Weights getBiasWeights() const { return weights(2); }
  const nvinfer1::Permutation& getFirstTranspose() {
    first = second;
    const Dims perm = ints("perm");
    for (int i = 0; i < perm.nbDims; ++i) first.order[i] = static_cast<int32_t>(perm.d[i]);
    return first;
  }
  const nvinfer1::Permutation& getSecondTranspose() const { return second; }
  Dims getReshapeDimensions() const { return input_dims(1); }
  bool getZeroIsPlaceholder() const { return number("allowzero", 0) == 0; }
  uint32_t getReduceAxes() const {
    const Dims given = ints("axes");
    return mask_of(given.nbDims > 0 ? given : input_dims(1));
  }
  // A set of bits, or a list of slices.
  struct AnyAxes {
    uint32_t mask;
    operator uint32_t() const { return mask; }  // NOLINT(google-explicit-constructor)
    operator Dims() const { return Dims{}; }    // NOLINT(google-explicit-constructor)
  };
  AnyAxes getAxes() const {
    Dims axis{};
    axis.nbDims = 1;
    axis.d[0] = number("axis", -1);
    return {mask_of(axis)};
  }
  nvinfer1::Weights getWeights() const {
    const graphsurgeon::Attribute* value = node->attribute("value");
    const auto* tensor = value ? std::get_if<graphsurgeon::TensorValue>(&value->value) : nullptr;
    return weights_of(tensor ? tensor->values.get() : nullptr);
  }
  float getAlpha() const { return real("alpha", 0); }
  float getBeta() const { return real("beta", 0); }
  int32_t getAxis() const { return static_cast<int32_t>(number("axis", 0)); }
  int32_t getGatherAxis() const { return static_cast<int32_t>(number("axis", 0)); }
  bool getKeepDimensions() const { return number("keepdims", 1) != 0; }
  float getEpsilon() const { return real("epsilon", 1e-5F); }
  Dims getDimensions() const { return to_dims(node->outputs()[0]->shape()); }
  nvinfer1::DataType getToType() const {
    return to_tensorrt(static_cast<polygraphy::DataType>(number("to", 1)))
        .value_or(nvinfer1::DataType::kFLOAT);
  }
};

template <class Interface, class ForwardType>
LayerObject make(const LayerImpl& layer, const TypeImpl& type) {
  using Object = MadeLayer<Interface, ForwardVLayer<LayerImpl>, ForwardType>;
  const auto object = std::make_shared<Object>(layer, type);
  return {object, object.get(), &object->layer()};
}

LayerObject make(const LayerImpl& layer, const TypeImpl& type) {
  using namespace nvinfer1;
  switch (layer.type) {
    case LayerType::kCONVOLUTION:
      return make<IConvolutionLayer, ForwardVConvolutionLayer<TypeImpl>>(layer, type);
    case LayerType::kDECONVOLUTION:
      return make<IDeconvolutionLayer, ForwardVDeconvolutionLayer<TypeImpl>>(layer, type);
    case LayerType::kACTIVATION:
      return make<IActivationLayer, ForwardVActivationLayer<TypeImpl>>(layer, type);
    case LayerType::kPOOLING:
      return make<IPoolingLayer, ForwardVPoolingLayer<TypeImpl>>(layer, type);
    case LayerType::kLRN:
      return make<ILRNLayer, ForwardVLRNLayer<TypeImpl>>(layer, type);
    case LayerType::kSCALE:
      return make<IScaleLayer, ForwardVScaleLayer<TypeImpl>>(layer, type);
    case LayerType::kSOFTMAX:
      return make<ISoftMaxLayer, ForwardVSoftMaxLayer<TypeImpl>>(layer, type);
    case LayerType::kCONCATENATION:
      return make<IConcatenationLayer, ForwardVConcatenationLayer<TypeImpl>>(layer, type);
    case LayerType::kELEMENTWISE:
      return make<IElementWiseLayer, ForwardVElementWiseLayer<TypeImpl>>(layer, type);
    case LayerType::kUNARY:
      return make<IUnaryLayer, ForwardVUnaryLayer<TypeImpl>>(layer, type);
    case LayerType::kREDUCE:
      return make<IReduceLayer, ForwardVReduceLayer<TypeImpl>>(layer, type);
    case LayerType::kTOPK:
      return make<ITopKLayer, ForwardVTopKLayer<TypeImpl>>(layer, type);
    case LayerType::kGATHER:
      return make<IGatherLayer, ForwardVGatherLayer<TypeImpl>>(layer, type);
    case LayerType::kMATRIX_MULTIPLY:
      return make<IMatrixMultiplyLayer, ForwardVMatrixMultiplyLayer<TypeImpl>>(layer, type);
    case LayerType::kSHUFFLE:
      return make<IShuffleLayer, ForwardVShuffleLayer<TypeImpl>>(layer, type);
    case LayerType::kSLICE:
      return make<ISliceLayer, ForwardVSliceLayer<TypeImpl>>(layer, type);
    case LayerType::kSHAPE:
      return make<IShapeLayer, ForwardVShapeLayer<TypeImpl>>(layer, type);
    case LayerType::kCONSTANT:
      return make<IConstantLayer, ForwardVConstantLayer<TypeImpl>>(layer, type);
    case LayerType::kFILL:
      return make<IFillLayer, ForwardVFillLayer<TypeImpl>>(layer, type);
    case LayerType::kCAST:
      return make<ICastLayer, ForwardVCastLayer<TypeImpl>>(layer, type);
    case LayerType::kNON_ZERO:
      return make<INonZeroLayer, ForwardVNonZeroLayer<TypeImpl>>(layer, type);
    case LayerType::kPARAMETRIC_RELU:
      return make<IParametricReLULayer, ForwardVParametricReLULayer<TypeImpl>>(layer, type);
    case LayerType::kRESIZE:
      return make<IResizeLayer, ForwardVResizeLayer<TypeImpl>>(layer, type);
    case LayerType::kSELECT:
      return make<ISelectLayer, ForwardVSelectLayer<TypeImpl>>(layer, type);
    case LayerType::kQUANTIZE:
      return make<IQuantizeLayer, ForwardVQuantizeLayer<TypeImpl>>(layer, type);
    case LayerType::kDEQUANTIZE:
      return make<IDequantizeLayer, ForwardVDequantizeLayer<TypeImpl>>(layer, type);
    case LayerType::kSCATTER:
      return make<IScatterLayer, ForwardVScatterLayer<TypeImpl>>(layer, type);
    case LayerType::kEINSUM:
      return make<IEinsumLayer, ForwardVEinsumLayer<TypeImpl>>(layer, type);
    case LayerType::kONE_HOT:
      return make<IOneHotLayer, ForwardVOneHotLayer<TypeImpl>>(layer, type);
    case LayerType::kGRID_SAMPLE:
      return make<IGridSampleLayer, ForwardVGridSampleLayer<TypeImpl>>(layer, type);
    case LayerType::kNMS:
      return make<INMSLayer, ForwardVNMSLayer<TypeImpl>>(layer, type);
    case LayerType::kREVERSE_SEQUENCE:
      return make<IReverseSequenceLayer, ForwardVReverseSequenceLayer<TypeImpl>>(layer, type);
    case LayerType::kNORMALIZATION:
      return make<INormalizationLayer, ForwardVNormalizationLayer<TypeImpl>>(layer, type);
    case LayerType::kCUMULATIVE:
      return make<ICumulativeLayer, ForwardVCumulativeLayer<TypeImpl>>(layer, type);
    case LayerType::kATTENTION_OUTPUT:
      return attention_output(layer);
    default:
      return make<IIdentityLayer, ForwardVIdentityLayer<TypeImpl>>(layer, type);
  }
}

}  // namespace

std::string layer_name(const graphsurgeon::Node& node) {
  if (!node.name().empty() || node.outputs().empty()) return std::string(node.name());
  return fmt::format("node_of_{}", node.outputs()[0]->name());
}

LayerObject layer_for(NetworkImpl& network, const graphsurgeon::NodeRef& node) {
  const OperatorLayer of_operator = layer_of_operator(node->op());
  LayerImpl layer;
  layer.type = of_operator.type;
  layer.node = node;
  layer.name = layer_name(*node);
  layer.metadata = fmt::format("[ONNX Layer: {}]", layer.name);
  // Weights are the layer's own, not its inputs.
  for (graphsurgeon::Tensor* input : node->inputs()) {
    if (input->is_constant()) continue;
    layer.inputs.push_back(input->is_empty() ? nullptr : network.tensor_for(*input).self);
  }
  for (graphsurgeon::Tensor* output : node->outputs()) {
    if (!output->is_empty()) layer.outputs.push_back(network.tensor_for(*output).self);
  }
  return make(layer, {node, of_operator});
}

}  // namespace tensorrt_double
