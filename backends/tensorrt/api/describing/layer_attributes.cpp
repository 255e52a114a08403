#include <vector>

#include "tensorrt/api/describing/attribute_json.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

// Versions with which functions came.
constexpr int32_t kIndicesType = 101400, kBlockShape = 101500, kSliceAxes = 101000;

template <typename Convolution>
void put_convolution(AttributeJson& out, Convolution& layer) {
  out.put("bias", layer.getBiasWeights());
  out.put("dilation_nd", layer.getDilationNd());
  out.put("kernel", layer.getKernelWeights());
  out.put("kernel_size_nd", layer.getKernelSizeNd());
  out.put("num_groups", layer.getNbGroups());
  out.put("num_output_maps", layer.getNbOutputMaps());
  out.put("padding_mode", layer.getPaddingMode());
  out.put("padding_nd", layer.getPaddingNd());
  out.put("post_padding", layer.getPostPadding());
  out.put("pre_padding", layer.getPrePadding());
  out.put("stride_nd", layer.getStrideNd());
}

void put(AttributeJson& out, nv::IConvolutionLayer& layer) {
  put_convolution(out, layer);
}

void put(AttributeJson& out, nv::IDeconvolutionLayer& layer) {
  put_convolution(out, layer);
}

void put(AttributeJson& out, nv::IActivationLayer& layer) {
  out.put("alpha", layer.getAlpha());
  out.put("beta", layer.getBeta());
}

void put(AttributeJson& out, nv::IPoolingLayer& layer) {
  out.put("average_count_excludes_padding", layer.getAverageCountExcludesPadding());
  out.put("blend_factor", layer.getBlendFactor());
  out.put("padding_mode", layer.getPaddingMode());
  out.put("padding_nd", layer.getPaddingNd());
  out.put("post_padding", layer.getPostPadding());
  out.put("pre_padding", layer.getPrePadding());
  out.put("stride_nd", layer.getStrideNd());
  out.put("window_size_nd", layer.getWindowSizeNd());
}

void put(AttributeJson& out, nv::ILRNLayer& layer) {
  out.put("alpha", layer.getAlpha());
  out.put("beta", layer.getBeta());
  out.put("k", layer.getK());
  out.put("window_size", layer.getWindowSize());
}

void put(AttributeJson& out, nv::IScaleLayer& layer) {
  out.put("channel_axis", layer.getChannelAxis());
  out.put("mode", layer.getMode());
  out.put("power", layer.getPower());
  out.put("scale", layer.getScale());
  out.put("shift", layer.getShift());
}

void put(AttributeJson& out, nv::ISoftMaxLayer& layer) {
  out.put("axes", layer.getAxes());
}

void put(AttributeJson& out, nv::IConcatenationLayer& layer) {
  out.put("axis", layer.getAxis());
}

void put(AttributeJson& out, nv::IElementWiseLayer& layer) {
  out.put("op", layer.getOperation());
}

void put(AttributeJson& out, nv::IUnaryLayer& layer) {
  out.put("op", layer.getOperation());
}

void put(AttributeJson& out, nv::IPaddingLayer& layer) {
  out.put("post_padding_nd", layer.getPostPaddingNd());
  out.put("pre_padding_nd", layer.getPrePaddingNd());
}

void put(AttributeJson& out, nv::IShuffleLayer& layer) {
  out.put("first_transpose", layer.getFirstTranspose());
  out.put("reshape_dims", layer.getReshapeDimensions());
  out.put("second_transpose", layer.getSecondTranspose());
  out.put("zero_is_placeholder", layer.getZeroIsPlaceholder());
}

void put(AttributeJson& out, nv::IReduceLayer& layer) {
  out.put("axes", layer.getReduceAxes());
  out.put("keep_dims", layer.getKeepDimensions());
  out.put("op", layer.getOperation());
}

void put(AttributeJson& out, nv::ITopKLayer& layer) {
  out.put("axes", layer.getReduceAxes());
  if (out.since(kIndicesType)) out.put("indices_type", layer.getIndicesType());
  out.put("k", layer.getK());
  out.put("op", layer.getOperation());
}

void put(AttributeJson& out, nv::IGatherLayer& layer) {
  out.put("axis", layer.getGatherAxis());
  out.put("mode", layer.getMode());
  out.put("num_elementwise_dims", layer.getNbElementWiseDims());
}

void put(AttributeJson& out, nv::IMatrixMultiplyLayer& layer) {
  out.put("op0", layer.getOperation(0));
  out.put("op1", layer.getOperation(1));
}

void put(AttributeJson& out, nv::IConstantLayer& layer) {
  out.put("shape", layer.getDimensions());
  out.put("weights", layer.getWeights());
}

void put(AttributeJson& out, nv::ICastLayer& layer) {
  out.put("to_type", layer.getToType());
}

void put(AttributeJson& out, nv::IPluginV2Layer& layer) {
  out.put_object("plugin", layer.getPlugin().getPluginType());
}

// Values that come as inputs are not attributes.
void put(AttributeJson& out, nv::ISliceLayer& layer) {
  const bool from_attributes = layer.getNbInputs() <= 1;
  if (out.since(kSliceAxes)) out.put("axes", layer.getAxes());
  out.put("mode", layer.getMode());
  if (!from_attributes) return;
  out.put("shape", layer.getSize());
  out.put("start", layer.getStart());
  out.put("stride", layer.getStride());
}

// Empty: the layer has a shape to resize to.
std::vector<float> scales_of(const nv::IResizeLayer& layer) {
  const int32_t count = layer.getScales(0, nullptr);
  if (count <= 0 || count > nv::Dims::MAX_DIMS) return {};
  std::vector<float> scales(static_cast<size_t>(count), 1.0F);
  layer.getScales(count, scales.data());
  return scales;
}

void put(AttributeJson& out, nv::IResizeLayer& layer) {
  out.put("coordinate_transformation", layer.getCoordinateTransformation());
  out.put("cubic_coeff", layer.getCubicCoeff());
  out.put("exclude_outside", layer.getExcludeOutside());
  out.put("nearest_rounding", layer.getNearestRounding());
  out.put("resize_mode", layer.getResizeMode());
  if (layer.getNbInputs() <= 1) out.put("scales", scales_of(layer));
  out.put("selector_for_single_pixel", layer.getSelectorForSinglePixel());
  out.put("shape", layer.getOutputDimensions());
}

void put_loop(AttributeJson& out, const nv::ILoopBoundaryLayer& layer) {
  const nv::ILoop* loop = layer.getLoop();
  out.put_object("loop", loop ? loop->getName() : "None");
}

void put(AttributeJson& out, nv::ITripLimitLayer& layer) {
  out.put("kind", layer.getTripLimit());
  put_loop(out, layer);
}

void put(AttributeJson& out, nv::IRecurrenceLayer& layer) {
  put_loop(out, layer);
}

void put(AttributeJson& out, nv::IIteratorLayer& layer) {
  out.put("axis", layer.getAxis());
  put_loop(out, layer);
  out.put("reverse", layer.getReverse());
}

void put(AttributeJson& out, nv::ILoopOutputLayer& layer) {
  out.put("axis", layer.getAxis());
  out.put("kind", layer.getLoopOutput());
  put_loop(out, layer);
}

void put(AttributeJson& out, nv::IIfConditionalBoundaryLayer& layer) {
  const nv::IIfConditional* conditional = layer.getConditional();
  out.put_object("conditional", conditional ? conditional->getName() : "None");
}

void put(AttributeJson& out, nv::IFillLayer& layer) {
  const bool whole = layer.isAlphaBetaInt64();
  whole ? out.put("alpha", layer.getAlphaInt64()) : out.put("alpha", layer.getAlpha());
  whole ? out.put("beta", layer.getBetaInt64()) : out.put("beta", layer.getBeta());
  out.put("operation", layer.getOperation());
  out.put("shape", layer.getDimensions());
  out.put("to_type", layer.getToType());
}

template <typename Quantize>
void put_quantize(AttributeJson& out, Quantize& layer) {
  out.put("axis", layer.getAxis());
  if (out.since(kBlockShape)) out.put("block_shape", layer.getBlockShape());
  out.put("to_type", layer.getToType());
}

void put(AttributeJson& out, nv::IQuantizeLayer& layer) {
  put_quantize(out, layer);
}

void put(AttributeJson& out, nv::IDequantizeLayer& layer) {
  put_quantize(out, layer);
}

void put(AttributeJson& out, nv::IDynamicQuantizeLayer& layer) {
  out.put("axis", layer.getAxis());
  if (out.since(kBlockShape)) out.put("block_shape", layer.getBlockShape());
  out.put("block_size", layer.getBlockSize());
  out.put("scale_type", layer.getScaleType());
  out.put("to_type", layer.getToType());
}

void put(AttributeJson& out, nv::IScatterLayer& layer) {
  out.put("axis", layer.getAxis());
  out.put("mode", layer.getMode());
}

void put(AttributeJson& out, nv::IEinsumLayer& layer) {
  out.put("equation", layer.getEquation());
}

void put(AttributeJson& out, nv::IAssertionLayer& layer) {
  out.put("message", layer.getMessage());
}

void put(AttributeJson& out, nv::IOneHotLayer& layer) {
  out.put("axis", layer.getAxis());
}

void put(AttributeJson& out, nv::INonZeroLayer& layer) {
  if (out.since(kIndicesType)) out.put("indices_type", layer.getIndicesType());
}

void put(AttributeJson& out, nv::IGridSampleLayer& layer) {
  out.put("align_corners", layer.getAlignCorners());
  out.put("interpolation_mode", layer.getInterpolationMode());
  out.put("sample_mode", layer.getSampleMode());
}

void put(AttributeJson& out, nv::INMSLayer& layer) {
  out.put("bounding_box_format", layer.getBoundingBoxFormat());
  if (out.since(kIndicesType)) out.put("indices_type", layer.getIndicesType());
  out.put("topk_box_limit", layer.getTopKBoxLimit());
}

void put(AttributeJson& out, nv::IReverseSequenceLayer& layer) {
  out.put("batch_axis", layer.getBatchAxis());
  out.put("sequence_axis", layer.getSequenceAxis());
}

template <typename Normalization>
void put_normalization(AttributeJson& out, Normalization& layer) {
  out.put("axes", layer.getAxes());
  if constexpr (requires { layer.getComputePrecision(); })
    out.put("compute_precision", layer.getComputePrecision());
  out.put("epsilon", layer.getEpsilon());
  out.put("num_groups", layer.getNbGroups());
}

void put(AttributeJson& out, nv::INormalizationLayer& layer) {
  put_normalization(out, layer);
}

void put(AttributeJson& out, nv::ICumulativeLayer& layer) {
  out.put("exclusive", layer.getExclusive());
  out.put("op", layer.getOperation());
  out.put("reverse", layer.getReverse());
}

void put(AttributeJson& out, nv::IAttentionBoundaryLayer& layer) {
  const nv::IAttention* attention = layer.getAttention();
  out.put_object("attention", attention ? attention->getName() : "None");
}

void put(AttributeJson& out, nv::IRotaryEmbeddingLayer& layer) {
  out.put("interleaved", layer.getInterleaved());
  out.put("rotary_embedding_dim", layer.getRotaryEmbeddingDim());
}

void put(AttributeJson& out, nv::IKVCacheUpdateLayer& layer) {
  out.put("cache_mode", layer.getCacheMode());
}

void put(AttributeJson& out, nv::IMoELayer& layer) {
  out.put("activation_type", layer.getActivationType());
  out.put("dyn_q_output_scale_type", layer.getDynQOutputScaleType());
  out.put("quantization_block_shape", layer.getQuantizationBlockShape());
  out.put("quantization_to_type", layer.getQuantizationToType());
  out.put("swiglu_param_alpha", layer.getSwigluParamAlpha());
  out.put("swiglu_param_beta", layer.getSwigluParamBeta());
  out.put("swiglu_param_limit", layer.getSwigluParamLimit());
}

}  // namespace

// Types without a line have no attributes.
void put_attributes(AttributeJson& out, nv::ILayer& layer) {
#define LAYER(type, interface) \
  case nv::LayerType::k##type: \
    return put(out, static_cast<nv::interface&>(layer));
  switch (layer.getType()) {
    LAYER(ACTIVATION, IActivationLayer)
    LAYER(ASSERTION, IAssertionLayer)
    LAYER(ATTENTION_INPUT, IAttentionInputLayer)
    LAYER(ATTENTION_OUTPUT, IAttentionOutputLayer)
    LAYER(CAST, ICastLayer)
    LAYER(CONCATENATION, IConcatenationLayer)
    LAYER(CONDITION, IConditionLayer)
    LAYER(CONDITIONAL_INPUT, IIfConditionalInputLayer)
    LAYER(CONDITIONAL_OUTPUT, IIfConditionalOutputLayer)
    LAYER(CONSTANT, IConstantLayer)
    LAYER(CONVOLUTION, IConvolutionLayer)
    LAYER(CUMULATIVE, ICumulativeLayer)
    LAYER(DECONVOLUTION, IDeconvolutionLayer)
    LAYER(DEQUANTIZE, IDequantizeLayer)
    LAYER(DYNAMIC_QUANTIZE, IDynamicQuantizeLayer)
    LAYER(EINSUM, IEinsumLayer)
    LAYER(ELEMENTWISE, IElementWiseLayer)
    LAYER(FILL, IFillLayer)
    LAYER(GATHER, IGatherLayer)
    LAYER(GRID_SAMPLE, IGridSampleLayer)
    LAYER(ITERATOR, IIteratorLayer)
    LAYER(KVCACHE_UPDATE, IKVCacheUpdateLayer)
    LAYER(LOOP_OUTPUT, ILoopOutputLayer)
    LAYER(LRN, ILRNLayer)
    LAYER(MATRIX_MULTIPLY, IMatrixMultiplyLayer)
    LAYER(MOE, IMoELayer)
    LAYER(NMS, INMSLayer)
    LAYER(NON_ZERO, INonZeroLayer)
    LAYER(NORMALIZATION, INormalizationLayer)
    LAYER(ONE_HOT, IOneHotLayer)
    LAYER(PADDING, IPaddingLayer)
    LAYER(PLUGIN_V2, IPluginV2Layer)
    LAYER(POOLING, IPoolingLayer)
    LAYER(QUANTIZE, IQuantizeLayer)
    LAYER(RECURRENCE, IRecurrenceLayer)
    LAYER(REDUCE, IReduceLayer)
    LAYER(RESIZE, IResizeLayer)
    LAYER(REVERSE_SEQUENCE, IReverseSequenceLayer)
    LAYER(ROTARY_EMBEDDING, IRotaryEmbeddingLayer)
    LAYER(SCALE, IScaleLayer)
    LAYER(SCATTER, IScatterLayer)
    LAYER(SHUFFLE, IShuffleLayer)
    LAYER(SLICE, ISliceLayer)
    LAYER(SOFTMAX, ISoftMaxLayer)
    LAYER(TOPK, ITopKLayer)
    LAYER(TRIP_LIMIT, ITripLimitLayer)
    LAYER(UNARY, IUnaryLayer)
    default:
      return;
  }
#undef LAYER
}

std::string operation_of(nv::ILayer& layer) {
  if (layer.getType() == nv::LayerType::kACTIVATION)
    return enum_text(static_cast<nv::IActivationLayer&>(layer).getActivationType());
  if (layer.getType() == nv::LayerType::kPOOLING)
    return enum_text(static_cast<nv::IPoolingLayer&>(layer).getPoolingType());
  return enum_text(layer.getType());
}

}  // namespace tensorrt::TENSORRT_FAMILY
