#include "graphsurgeon/onnx/inference/contrib_ops.h"

#include <onnx/defs/shape_inference.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>

#include "graphsurgeon/onnx/schema_table.h"

namespace graphsurgeon {

namespace {

using onnx::InferenceContext;
using onnx::TensorShapeProto;

// The output is of the type of the first input, and of its shape.
constexpr std::array<std::string_view, 13> kLikeFirst = {
    "BiasAdd",
    "BiasGelu",
    "FastGelu",
    "Gelu",
    "GroupNorm",
    "Inverse",
    "QuickGelu",
    "RotaryEmbedding",
    "SimplifiedLayerNormalization",
    "SkipGroupNorm",
    "SkipLayerNormalization",
    "SkipSimplifiedLayerNormalization",
    "Trilu",
};
// Of its type only.
constexpr std::array<std::string_view, 9> kTypedLikeFirst = {
    "Attention",   "BiasSplitGelu",       "DecoderMaskedMultiHeadAttention",
    "GridSample",  "GroupQueryAttention", "MatMulBnb4",
    "MatMulNBits", "MultiHeadAttention",  "NhwcConv",
};
// With the inputs and attributes of the standard's operator, and more.
struct Extended {
  std::string_view op, standard;
};
constexpr std::array<Extended, 3> kExtended = {{
    {"FusedConv", "Conv"},
    {"FusedGemm", "Gemm"},
    {"QuantizeLinear", "QuantizeLinear"},
}};
constexpr int kStandardOpset = 13;

template <size_t n>
bool holds(const std::array<std::string_view, n>& ops, std::string_view op) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

onnx::InferenceFunction of_the_standard(std::string_view op) {
  const onnx::OpSchema* schema = schema_of(op, kStandardOpset, "");
  return schema != nullptr ? schema->GetTypeAndShapeInferenceFunction() : onnx::InferenceFunction();
}

bool is_set(const InferenceContext& context, const char* name) {
  const onnx::AttributeProto* attribute = context.getAttribute(name);
  return attribute != nullptr && attribute->i() != 0;
}

void infer_type(InferenceContext& context) {
  if (context.getNumInputs() > 0) onnx::propagateElemTypeFromInputToOutput(context, 0, 0);
}

void infer_like_first(InferenceContext& context) {
  infer_type(context);
  if (onnx::hasInputShape(context, 0)) onnx::propagateShapeFromInputToOutput(context, 0, 0);
}

// The type is that of the scale, not always float32 as in the standard.
void infer_dequantize(InferenceContext& context) {
  if (context.getNumInputs() < 2) return;
  onnx::propagateElemTypeFromInputToOutput(context, 1, 0);
  if (onnx::hasInputShape(context, 0)) onnx::propagateShapeFromInputToOutput(context, 0, 0);
}

// With channels last, the shape is another than the standard's.
void infer_qlinear_conv(InferenceContext& context) {
  if (!is_set(context, "channels_last")) return of_the_standard("QLinearConv")(context);
  if (context.getNumInputs() > 7) onnx::propagateElemTypeFromInputToOutput(context, 7, 0);
}

// A product of matrices of which each may be transposed, or of batches of them.
void infer_fused_matmul(InferenceContext& context) {
  const bool transposes_left = is_set(context, "transA"),
             transposes_right = is_set(context, "transB");
  const bool transposes_batch = is_set(context, "transBatchA") || is_set(context, "transBatchB");
  if (!transposes_left && !transposes_right && !transposes_batch) {
    of_the_standard("MatMul")(context);
    return;
  }
  infer_type(context);
  if (transposes_batch || !onnx::hasNInputShapes(context, 2)) return;
  const TensorShapeProto& left = onnx::getInputShape(context, 0);
  const TensorShapeProto& right = onnx::getInputShape(context, 1);
  if (left.dim_size() != 2 || right.dim_size() != 2) return;
  TensorShapeProto& shape = *onnx::getOutputShape(context, 0);
  *shape.add_dim() = left.dim(transposes_left ? 1 : 0);
  *shape.add_dim() = right.dim(transposes_right ? 0 : 1);
}

}  // namespace

onnx::InferenceFunction contrib_inference(std::string_view op, std::string_view domain) {
  if (domain != "com.microsoft") return {};
  if (holds(kLikeFirst, op)) return infer_like_first;
  if (holds(kTypedLikeFirst, op)) return infer_type;
  if (op == "DequantizeLinear") return infer_dequantize;
  if (op == "QLinearConv") return infer_qlinear_conv;
  if (op == "FusedMatMul" || op == "TransposeMatMul") return infer_fused_matmul;
  const auto* const extended = std::find_if(kExtended.begin(), kExtended.end(),
                                            [&](const Extended& each) { return each.op == op; });
  return extended != kExtended.end() ? of_the_standard(extended->standard)
                                     : onnx::InferenceFunction();
}

}  // namespace graphsurgeon
