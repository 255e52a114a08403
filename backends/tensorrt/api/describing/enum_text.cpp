#include "tensorrt/api/describing/enum_text.h"

#include "tensorrt/api/names.h"

namespace tensorrt::TENSORRT_FAMILY {
namespace {

std::string text(const char* type, const char* name) {
  return std::string(type) + "." + name;
}

}  // namespace

#define NAME(type, enumerator) \
  if (value == nv::type::k##enumerator) return text(#type, #enumerator);

std::string enum_text(nv::LayerType value) {
  return "LayerType." + std::string(name_of(layer_types(), value));
}

std::string enum_text(nv::ActivationType value) {
  NAME(ActivationType, RELU)
  NAME(ActivationType, SIGMOID)
  NAME(ActivationType, TANH)
  NAME(ActivationType, LEAKY_RELU)
  NAME(ActivationType, ELU)
  NAME(ActivationType, SELU)
  NAME(ActivationType, SOFTSIGN)
  NAME(ActivationType, SOFTPLUS)
  NAME(ActivationType, CLIP)
  NAME(ActivationType, HARD_SIGMOID)
  NAME(ActivationType, SCALED_TANH)
  NAME(ActivationType, THRESHOLDED_RELU)
  NAME(ActivationType, GELU_ERF)
  NAME(ActivationType, GELU_TANH)
  return text("ActivationType", "?");
}

std::string enum_text(nv::AttentionNormalizationOp value) {
  NAME(AttentionNormalizationOp, NONE)
  NAME(AttentionNormalizationOp, SOFTMAX)
  return text("AttentionNormalizationOp", "?");
}

std::string enum_text(nv::BoundingBoxFormat value) {
  NAME(BoundingBoxFormat, CORNER_PAIRS)
  NAME(BoundingBoxFormat, CENTER_SIZES)
  return text("BoundingBoxFormat", "?");
}

std::string enum_text(nv::CumulativeOperation value) {
  NAME(CumulativeOperation, SUM)
  return text("CumulativeOperation", "?");
}

std::string enum_text(nv::DataType value) {
  NAME(DataType, FLOAT)
  NAME(DataType, HALF)
  NAME(DataType, INT8)
  NAME(DataType, INT32)
  NAME(DataType, BOOL)
  NAME(DataType, UINT8)
  NAME(DataType, FP8)
  NAME(DataType, BF16)
  NAME(DataType, INT64)
  NAME(DataType, INT4)
  NAME(DataType, FP4)
  NAME(DataType, E8M0)
  return text("DataType", "?");
}

std::string enum_text(nv::ElementWiseOperation value) {
  NAME(ElementWiseOperation, SUM)
  NAME(ElementWiseOperation, PROD)
  NAME(ElementWiseOperation, MAX)
  NAME(ElementWiseOperation, MIN)
  NAME(ElementWiseOperation, SUB)
  NAME(ElementWiseOperation, DIV)
  NAME(ElementWiseOperation, POW)
  NAME(ElementWiseOperation, FLOOR_DIV)
  NAME(ElementWiseOperation, AND)
  NAME(ElementWiseOperation, OR)
  NAME(ElementWiseOperation, XOR)
  NAME(ElementWiseOperation, EQUAL)
  NAME(ElementWiseOperation, GREATER)
  NAME(ElementWiseOperation, LESS)
  return text("ElementWiseOperation", "?");
}

std::string enum_text(nv::FillOperation value) {
  NAME(FillOperation, LINSPACE)
  NAME(FillOperation, RANDOM_UNIFORM)
  NAME(FillOperation, RANDOM_NORMAL)
  return text("FillOperation", "?");
}

std::string enum_text(nv::GatherMode value) {
  NAME(GatherMode, DEFAULT)
  NAME(GatherMode, ELEMENT)
  NAME(GatherMode, ND)
  return text("GatherMode", "?");
}

std::string enum_text(nv::InterpolationMode value) {
  NAME(InterpolationMode, NEAREST)
  NAME(InterpolationMode, LINEAR)
  NAME(InterpolationMode, CUBIC)
  return text("InterpolationMode", "?");
}

std::string enum_text(nv::KVCacheMode value) {
  NAME(KVCacheMode, LINEAR)
  return text("KVCacheMode", "?");
}

std::string enum_text(nv::LoopOutput value) {
  NAME(LoopOutput, LAST_VALUE)
  NAME(LoopOutput, CONCATENATE)
  NAME(LoopOutput, REVERSE)
  return text("LoopOutput", "?");
}

std::string enum_text(nv::MatrixOperation value) {
  NAME(MatrixOperation, NONE)
  NAME(MatrixOperation, TRANSPOSE)
  NAME(MatrixOperation, VECTOR)
  return text("MatrixOperation", "?");
}

std::string enum_text(nv::MoEActType value) {
  NAME(MoEActType, NONE)
  NAME(MoEActType, SILU)
  return text("MoEActType", "?");
}

std::string enum_text(nv::PaddingMode value) {
  NAME(PaddingMode, EXPLICIT_ROUND_DOWN)
  NAME(PaddingMode, EXPLICIT_ROUND_UP)
  NAME(PaddingMode, SAME_UPPER)
  NAME(PaddingMode, SAME_LOWER)
  return text("PaddingMode", "?");
}

std::string enum_text(nv::PoolingType value) {
  NAME(PoolingType, MAX)
  NAME(PoolingType, AVERAGE)
  NAME(PoolingType, MAX_AVERAGE_BLEND)
  return text("PoolingType", "?");
}

std::string enum_text(nv::ReduceOperation value) {
  NAME(ReduceOperation, SUM)
  NAME(ReduceOperation, PROD)
  NAME(ReduceOperation, MAX)
  NAME(ReduceOperation, MIN)
  NAME(ReduceOperation, AVG)
  NAME(ReduceOperation, NONE)
  return text("ReduceOperation", "?");
}

std::string enum_text(nv::ResizeCoordinateTransformation value) {
  NAME(ResizeCoordinateTransformation, ALIGN_CORNERS)
  NAME(ResizeCoordinateTransformation, ASYMMETRIC)
  NAME(ResizeCoordinateTransformation, HALF_PIXEL)
  return text("ResizeCoordinateTransformation", "?");
}

std::string enum_text(nv::ResizeRoundMode value) {
  NAME(ResizeRoundMode, HALF_UP)
  NAME(ResizeRoundMode, HALF_DOWN)
  NAME(ResizeRoundMode, FLOOR)
  NAME(ResizeRoundMode, CEIL)
  return text("ResizeRoundMode", "?");
}

std::string enum_text(nv::ResizeSelector value) {
  NAME(ResizeSelector, FORMULA)
  NAME(ResizeSelector, UPPER)
  return text("ResizeSelector", "?");
}

std::string enum_text(nv::SampleMode value) {
  NAME(SampleMode, STRICT_BOUNDS)
  NAME(SampleMode, WRAP)
  NAME(SampleMode, CLAMP)
  NAME(SampleMode, FILL)
  NAME(SampleMode, REFLECT)
  return text("SampleMode", "?");
}

std::string enum_text(nv::ScaleMode value) {
  NAME(ScaleMode, UNIFORM)
  NAME(ScaleMode, CHANNEL)
  NAME(ScaleMode, ELEMENTWISE)
  return text("ScaleMode", "?");
}

std::string enum_text(nv::ScatterMode value) {
  NAME(ScatterMode, ELEMENT)
  NAME(ScatterMode, ND)
  return text("ScatterMode", "?");
}

std::string enum_text(nv::TopKOperation value) {
  NAME(TopKOperation, MAX)
  NAME(TopKOperation, MIN)
  return text("TopKOperation", "?");
}

std::string enum_text(nv::TripLimit value) {
  NAME(TripLimit, COUNT)
  NAME(TripLimit, WHILE)
  return text("TripLimit", "?");
}

std::string enum_text(nv::UnaryOperation value) {
  NAME(UnaryOperation, EXP)
  NAME(UnaryOperation, LOG)
  NAME(UnaryOperation, SQRT)
  NAME(UnaryOperation, RECIP)
  NAME(UnaryOperation, ABS)
  NAME(UnaryOperation, NEG)
  NAME(UnaryOperation, SIN)
  NAME(UnaryOperation, COS)
  NAME(UnaryOperation, TAN)
  NAME(UnaryOperation, SINH)
  NAME(UnaryOperation, COSH)
  NAME(UnaryOperation, ASIN)
  NAME(UnaryOperation, ACOS)
  NAME(UnaryOperation, ATAN)
  NAME(UnaryOperation, ASINH)
  NAME(UnaryOperation, ACOSH)
  NAME(UnaryOperation, ATANH)
  NAME(UnaryOperation, CEIL)
  NAME(UnaryOperation, FLOOR)
  NAME(UnaryOperation, ERF)
  NAME(UnaryOperation, NOT)
  NAME(UnaryOperation, SIGN)
  NAME(UnaryOperation, ROUND)
  NAME(UnaryOperation, ISINF)
  NAME(UnaryOperation, ISNAN)
  return text("UnaryOperation", "?");
}

#undef NAME

}  // namespace tensorrt::TENSORRT_FAMILY
