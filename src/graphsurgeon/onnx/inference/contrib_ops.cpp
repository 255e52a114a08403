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
constexpr std::array<std::string_view, 11> kLikeFirst = {
    "BiasAdd",       "BiasGelu",        "FastGelu",
    "Gelu",          "GroupNorm",       "Inverse",
    "QuickGelu",     "RotaryEmbedding", "SimplifiedLayerNormalization",
    "SkipGroupNorm", "Trilu",
};
// Of its type only.
constexpr std::array<std::string_view, 7> kTypedLikeFirst = {
    "Attention",  "BiasSplitGelu", "DecoderMaskedMultiHeadAttention",
    "GridSample", "MatMulBnb4",    "MultiHeadAttention",
    "NhwcConv",
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

// The fourth output is the sum that is normalised.
void infer_skip(InferenceContext& context) {
  infer_like_first(context);
  if (context.getNumInputs() == 0 || context.getNumOutputs() < 4) return;
  onnx::propagateElemTypeFromInputToOutput(context, 0, 3);
  if (onnx::hasInputShape(context, 0)) onnx::propagateShapeFromInputToOutput(context, 0, 3);
}

int64_t integer(const InferenceContext& context, const char* name) {
  const onnx::AttributeProto* attribute = context.getAttribute(name);
  return attribute == nullptr ? 0 : attribute->i();
}

// The shape of the first input, with another last dimension.
void infer_last(InferenceContext& context, int64_t last) {
  if (last <= 0 || !onnx::hasInputShape(context, 0)) return;
  const TensorShapeProto& from = onnx::getInputShape(context, 0);
  if (from.dim_size() == 0) return;
  TensorShapeProto& shape = *onnx::getOutputShape(context, 0);
  for (int i = 0; i + 1 < from.dim_size(); ++i) *shape.add_dim() = from.dim(i);
  shape.add_dim()->set_dim_value(last);
}

void infer_matmul_nbits(InferenceContext& context) {
  infer_type(context);
  infer_last(context, integer(context, "N"));
}

// Further outputs are keys and values, of the types of the past ones.
void infer_group_query_attention(InferenceContext& context) {
  infer_type(context);
  for (size_t i = 1; i < std::min<size_t>(context.getNumOutputs(), 3); ++i) {
    if (context.getNumInputs() > i + 2 && context.getInputType(i + 2) != nullptr)
      onnx::propagateElemTypeFromInputToOutput(context, i + 2, i);
  }
  const bool packed = context.getNumInputs() < 2 || context.getInputType(1) == nullptr;
  if (!packed) {
    if (onnx::hasInputShape(context, 0)) onnx::propagateShapeFromInputToOutput(context, 0, 0);
    return;
  }
  const int64_t heads = integer(context, "num_heads"), pairs = integer(context, "kv_num_heads");
  if (heads <= 0 || pairs <= 0 || !onnx::hasInputShape(context, 0)) return;
  const TensorShapeProto& shape = onnx::getInputShape(context, 0);
  if (shape.dim_size() == 3 && shape.dim(2).has_dim_value())
    infer_last(context, shape.dim(2).dim_value() / (heads + 2 * pairs) * heads);
}

// The type is the scale's, not always float32 as in the standard.
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
  // ONNX Runtime has it in the default domain.
  if (op == "SimplifiedLayerNormalization") return infer_like_first;
  if (domain != "com.microsoft") return {};
  if (op == "SkipLayerNormalization" || op == "SkipSimplifiedLayerNormalization") return infer_skip;
  if (op == "MatMulNBits") return infer_matmul_nbits;
  if (op == "GroupQueryAttention") return infer_group_query_attention;
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
