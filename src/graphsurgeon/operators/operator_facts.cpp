#include "graphsurgeon/operators/operator_facts.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "graphsurgeon/ir/domain.h"
#include "graphsurgeon/ir/int_attribute.h"
#include "graphsurgeon/ir/tensor.h"

namespace graphsurgeon {
namespace {

using enum Movement;
using enum LayerKind;

constexpr QuantizedSlots linear(int8_t result_scale) {
  return {.scale = 1,
          .zero = 2,
          .weight_scale = 4,
          .weight_zero = 5,
          .result_scale = result_scale,
          .result_zero = static_cast<int8_t>(result_scale + 1)};
}
constexpr QuantizedSlots kOfIntegers = {.zero = 2, .weight_zero = 3};

constexpr OperatorFacts convolution(std::string_view name,
                                    WeightLayout layout = WeightLayout::kOutputsFirst,
                                    int8_t bias = 2) {
  return {.name = name,
          .layer = kConvolution,
          .sums = Sums::kWindow,
          .layout = layout,
          .weight = 1,
          .bias = bias};
}

constexpr OperatorFacts product(std::string_view name, Sums sums = Sums::kFactors,
                                int8_t bias = -1) {
  return {.name = name,
          .layer = kProduct,
          .sums = sums,
          .layout = WeightLayout::kMatrix,
          .weight = 1,
          .bias = bias};
}

constexpr OperatorFacts normalization(std::string_view name, Sums sums = Sums::kReduced,
                                      int8_t axis = kNoAxis) {
  return {.name = name, .layer = kNormalization, .sums = sums, .axis = axis};
}

constexpr OperatorFacts window(std::string_view name) {
  return {.name = name, .sizes = slots(0), .grows = true, .type_attribute = "output_datatype"};
}

constexpr OperatorFacts with_codes(OperatorFacts row, std::string_view float_op,
                                   QuantizedSlots codes, int8_t weight = 1, int8_t bias = -1) {
  row.float_op = float_op;
  row.codes = codes;
  row.weight = weight;
  row.bias = bias;
  return row;
}

// Sorted by name.
constexpr OperatorFacts kStandard[] = {
    {.name = "Abs", .movement = kSelects, .moved = 0, .elementwise = true},
    {.name = "Add", .elementwise = true, .whole = true},
    {.name = "AffineGrid", .sizes = slots(1), .grows = true},
    {.name = "ArgMax", .axis = 0, .steps = true},
    {.name = "ArgMin", .axis = 0, .steps = true},
    {.name = "Attention", .layer = kAttention},
    normalization("BatchNormalization"),
    {.name = "Bernoulli", .random = true, .type_attribute = "dtype"},
    window("BlackmanWindow"),
    {.name = "Cast", .movement = kConverts, .elementwise = true},
    {.name = "CastLike", .movement = kConverts, .elementwise = true},
    {.name = "CausalConvWithState", .layer = kConvolution},
    {.name = "Ceil", .elementwise = true, .whole = true, .steps = true},
    {.name = "CenterCropPad", .movement = kFills, .sizes = slots(1)},
    {.name = "Clip", .movement = kSelects, .moved = 0, .elementwise = true, .whole = true},
    {.name = "Col2Im", .sizes = slots(1, 2), .grows = true},
    {.name = "Compress", .movement = kArranges},
    {.name = "Concat", .movement = kMerges, .moved = kAllSlots},
    {.name = "ConcatFromSequence", .movement = kMerges, .moved = 0},
    {.name = "Constant", .movement = kMakes},
    {.name = "ConstantOfShape", .movement = kMakes, .sizes = slots(0), .grows = true},
    convolution("Conv"),
    with_codes(convolution("ConvInteger"), "Conv", kOfIntegers),
    convolution("ConvTranspose", WeightLayout::kInputsFirst),
    {.name = "CumSum", .sums = Sums::kSample, .whole = true},
    {.name = "DFT", .sizes = slots(1, 2)},
    convolution("DeformConv", WeightLayout::kOutputsFirst, 3),
    {.name = "DepthToSpace", .movement = kPermutes},
    {.name = "DequantizeLinear", .movement = kQuantizes},
    {.name = "Div", .elementwise = true, .whole = true},
    {.name = "DynamicQuantizeLinear", .movement = kQuantizes, .steps = true},
    {.name = "Einsum", .layer = kProduct, .sums = Sums::kFactors},
    {.name = "Equal", .elementwise = true, .steps = true},
    {.name = "Expand", .movement = kArranges, .sizes = slots(1), .grows = true},
    {.name = "EyeLike", .movement = kMakes, .grows = true, .type_attribute = "dtype"},
    {.name = "Flatten", .movement = kReshapes},
    {.name = "Floor", .elementwise = true, .whole = true, .steps = true},
    {.name = "GRU", .layer = kRecurrence, .sums = Sums::kSequence},
    {.name = "Gather", .movement = kArranges},
    {.name = "GatherElements", .movement = kArranges},
    {.name = "GatherND", .movement = kArranges},
    product("Gemm", Sums::kFactors, 2),
    {.name = "GlobalMaxPool", .movement = kSelects},
    {.name = "Greater", .elementwise = true, .steps = true},
    {.name = "GreaterOrEqual", .elementwise = true, .steps = true},
    {.name = "GridSample", .grows = true},
    normalization("GroupNormalization", Sums::kSample),
    window("HammingWindow"),
    window("HannWindow"),
    {.name = "Hardmax", .axis = -1},
    {.name = "Identity", .movement = kReshapes, .elementwise = true},
    {.name = "If", .movement = kRuns},
    normalization("InstanceNormalization", Sums::kSample),
    normalization("LRN", Sums::kSample),
    {.name = "LSTM", .layer = kRecurrence, .sums = Sums::kSequence},
    normalization("LayerNormalization", Sums::kBehindAxis, -1),
    {.name = "Less", .elementwise = true, .steps = true},
    {.name = "LessOrEqual", .elementwise = true, .steps = true},
    {.name = "LinearAttention", .layer = kRecurrence},
    {.name = "LogSoftmax", .sums = Sums::kBehindAxis, .axis = -1},
    {.name = "Loop", .movement = kRuns},
    normalization("LpNormalization", Sums::kBehindAxis, -1),
    product("MatMul"),
    with_codes(product("MatMulInteger"), "MatMul", kOfIntegers),
    {.name = "Max", .movement = kSelects, .moved = kAllSlots, .elementwise = true},
    {.name = "MaxPool", .movement = kSelects},
    {.name = "MaxRoiPool", .movement = kSelects},
    {.name = "MaxUnpool", .movement = kFills, .sizes = slots(2), .grows = true},
    normalization("MeanVarianceNormalization", Sums::kSample),
    {.name = "MelWeightMatrix",
     .sizes = slots(0, 1, 2, 3, 4),
     .grows = true,
     .type_attribute = "output_datatype"},
    {.name = "Min", .movement = kSelects, .moved = kAllSlots, .elementwise = true},
    {.name = "Mod", .elementwise = true, .whole = true, .steps = true},
    {.name = "Mul", .elementwise = true, .whole = true},
    {.name = "Multinomial", .random = true},
    {.name = "Neg", .movement = kSelects, .moved = 0, .elementwise = true},
    {.name = "NonMaxSuppression", .steps = true},
    {.name = "NonZero", .movement = kMakes},
    {.name = "OneHot", .movement = kMakes, .sizes = slots(1), .steps = true, .grows = true},
    {.name = "Optional", .movement = kMerges, .moved = 0},
    {.name = "OptionalGetElement", .movement = kMerges, .moved = 0},
    {.name = "Pad", .movement = kFills, .sizes = slots(1, 3), .grows = true},
    {.name = "Pow", .elementwise = true, .whole = true},
    with_codes(convolution("QLinearConv"), "Conv", linear(6), 3, 8),
    with_codes(product("QLinearMatMul"), "MatMul", linear(6), 3),
    {.name = "QuantizeLinear", .movement = kQuantizes, .steps = true},
    normalization("RMSNormalization", Sums::kBehindAxis, -1),
    {.name = "RNN", .layer = kRecurrence, .sums = Sums::kSequence},
    {.name = "RandomNormal", .random = true, .type_attribute = "dtype"},
    {.name = "RandomNormalLike", .random = true, .type_attribute = "dtype"},
    {.name = "RandomUniform", .random = true, .type_attribute = "dtype"},
    {.name = "RandomUniformLike", .random = true, .type_attribute = "dtype"},
    {.name = "Range", .sizes = slots(0, 1, 2), .whole = true, .grows = true},
    {.name = "ReduceL1", .sizes = slots(1)},
    {.name = "ReduceL2", .sizes = slots(1)},
    {.name = "ReduceLogSum", .sizes = slots(1)},
    {.name = "ReduceLogSumExp", .sizes = slots(1)},
    {.name = "ReduceMax", .movement = kSelects, .sizes = slots(1)},
    {.name = "ReduceMean", .sizes = slots(1)},
    {.name = "ReduceMin", .movement = kSelects, .sizes = slots(1)},
    {.name = "ReduceProd", .sizes = slots(1), .whole = true},
    {.name = "ReduceSum", .sizes = slots(1), .whole = true},
    {.name = "ReduceSumSquare", .sizes = slots(1)},
    {.name = "Relu", .movement = kSelects, .moved = 0, .elementwise = true},
    {.name = "Reshape", .movement = kReshapes, .sizes = slots(1)},
    {.name = "Resize", .movement = kResizes, .sizes = slots(1, 2, 3), .grows = true},
    {.name = "ReverseSequence", .movement = kPermutes},
    {.name = "Round", .elementwise = true, .whole = true, .steps = true},
    {.name = "STFT", .sizes = slots(1, 3)},
    {.name = "Scan", .movement = kRuns},
    {.name = "Scatter", .movement = kMerges, .moved = slots(0, 2)},
    {.name = "ScatterElements", .movement = kMerges, .moved = slots(0, 2)},
    {.name = "ScatterND", .movement = kMerges, .moved = slots(0, 2)},
    {.name = "SequenceAt", .movement = kMerges, .moved = 0},
    {.name = "SequenceConstruct", .movement = kMerges, .moved = 0},
    {.name = "SequenceErase", .movement = kMerges, .moved = 0},
    {.name = "SequenceInsert", .movement = kMerges, .moved = 0},
    {.name = "Shape", .movement = kMakes},
    {.name = "Sign", .movement = kSelects, .moved = 0, .elementwise = true, .steps = true},
    {.name = "Size", .movement = kMakes},
    {.name = "Slice", .movement = kArranges, .sizes = slots(1, 2, 3, 4)},
    {.name = "Softmax", .sums = Sums::kBehindAxis, .axis = -1},
    {.name = "SpaceToDepth", .movement = kPermutes},
    {.name = "Split", .movement = kArranges, .sizes = slots(1)},
    {.name = "SplitToSequence", .movement = kMerges, .moved = 0, .sizes = slots(1)},
    {.name = "Sqrt", .elementwise = true, .whole = true},
    {.name = "Squeeze", .movement = kReshapes, .sizes = slots(1)},
    {.name = "Sub", .elementwise = true, .whole = true},
    {.name = "Sum", .elementwise = true, .whole = true},
    {.name = "TensorScatter", .movement = kMerges, .moved = slots(0, 1)},
    {.name = "Tile", .movement = kArranges, .sizes = slots(1), .grows = true},
    {.name = "TopK", .movement = kSelects, .sizes = slots(1), .axis = -1, .steps = true},
    {.name = "Transpose", .movement = kPermutes},
    {.name = "Trilu", .movement = kFills},
    {.name = "Unique", .movement = kSelects, .steps = true},
    {.name = "Unsqueeze", .movement = kReshapes, .sizes = slots(1)},
    {.name = "Upsample", .movement = kResizes, .sizes = slots(1), .grows = true},
    {.name = "Where", .movement = kMerges, .moved = slots(1, 2), .elementwise = true},
};

// Further ones of the standard.
constexpr std::string_view kElementwise[][11] = {
    {"Acos", "Acosh", "And", "Asin", "Asinh", "Atan", "Atanh", "BitShift", "BitwiseAnd",
     "BitwiseNot", "BitwiseOr"},
    {"BitwiseXor", "Celu", "Cos", "Cosh", "Dropout", "Elu", "Erf", "Exp", "Gelu", "HardSigmoid",
     "HardSwish"},
    {"IsInf", "IsNaN", "LeakyRelu", "Log", "Mean", "Mish", "Not", "Or", "PRelu", "Reciprocal",
     "Selu"},
    {"Shrink", "Sigmoid", "Sin", "Sinh", "Softplus", "Softsign", "Swish", "Tan", "Tanh",
     "ThresholdedRelu", "Xor"}};

// Of com.microsoft, sorted by name.
constexpr OperatorFacts kMicrosoft[] = {
    {.name = "Attention", .layer = kAttention},
    {.name = "BiasGelu", .plain = true},
    {.name = "DecoderMaskedMultiHeadAttention", .layer = kAttention},
    {.name = "DequantizeBFP", .movement = kQuantizes, .float_op = "Identity"},
    {.name = "DequantizeLinear", .movement = kQuantizes},
    {.name = "DequantizeWithOrder", .movement = kQuantizes, .float_op = "Identity"},
    {.name = "DynamicQuantizeLSTM", .layer = kRecurrence, .float_op = "LSTM"},
    with_codes(product("DynamicQuantizeMatMul", Sums::kReduced), "MatMul",
               {.weight_scale = 2, .weight_zero = 3}, 1, 4),
    normalization("EmbedLayerNormalization"),
    {.name = "FastGelu", .plain = true},
    {.name = "FusedConv", .layer = kConvolution, .plain = true},
    {.name = "FusedGemm", .layer = kProduct, .plain = true},
    {.name = "FusedMatMul", .layer = kProduct, .plain = true},
    {.name = "GatherBlockQuantized", .float_op = "Gather"},
    {.name = "Gelu", .elementwise = true, .plain = true},
    normalization("GroupNorm"),
    {.name = "GroupQueryAttention", .layer = kAttention},
    {.name = "Inverse", .plain = true},
    {.name = "MatMulBnb4", .layer = kProduct, .float_op = "MatMul"},
    {.name = "MatMulFpQ4", .layer = kProduct, .float_op = "MatMul"},
    with_codes(product("MatMulIntegerToFloat", Sums::kReduced), "MatMul",
               {.scale = 2, .zero = 4, .weight_scale = 3, .weight_zero = 5}, 1, 6),
    {.name = "MatMulNBits",
     .layer = kProduct,
     .weight = 1,
     .bias = 5,
     .float_op = "MatMul",
     .codes = {.weight_scale = 2, .weight_zero = 3}},
    {.name = "MoE", .layer = kProduct},
    {.name = "MultiHeadAttention", .layer = kAttention},
    {.name = "NhwcConv", .layer = kConvolution},
    {.name = "QAttention", .layer = kAttention, .float_op = "Attention"},
    {.name = "QEmbedLayerNormalization",
     .layer = kNormalization,
     .float_op = "EmbedLayerNormalization"},
    with_codes(product("QGemm", Sums::kReduced), "Gemm", linear(7), 3, 6),
    {.name = "QLinearAdd", .float_op = "Add"},
    {.name = "QLinearAveragePool", .float_op = "AveragePool"},
    {.name = "QLinearConcat", .float_op = "Concat"},
    with_codes(convolution("QLinearConv"), "Conv", linear(6), 3, 8),
    {.name = "QLinearGlobalAveragePool", .float_op = "GlobalAveragePool"},
    {.name = "QLinearLeakyRelu", .float_op = "LeakyRelu"},
    {.name = "QLinearMul", .float_op = "Mul"},
    {.name = "QLinearReduceMean", .float_op = "ReduceMean"},
    {.name = "QLinearSigmoid", .float_op = "Sigmoid"},
    {.name = "QLinearSoftmax", .float_op = "Softmax"},
    {.name = "QLinearWhere", .float_op = "Where"},
    {.name = "QMoE", .layer = kProduct, .float_op = "MoE"},
    {.name = "QOrderedAttention", .layer = kAttention, .float_op = "Attention"},
    {.name = "QOrderedGelu", .float_op = "Gelu"},
    {.name = "QOrderedLayerNormalization",
     .layer = kNormalization,
     .float_op = "LayerNormalization"},
    {.name = "QOrderedLongformerAttention", .layer = kAttention, .float_op = "LongformerAttention"},
    {.name = "QOrderedMatMul", .layer = kProduct, .float_op = "MatMul"},
    {.name = "QuantizeBFP", .movement = kQuantizes, .float_op = "Identity"},
    {.name = "QuantizeLinear", .movement = kQuantizes, .steps = true},
    {.name = "QuantizeWithOrder", .movement = kQuantizes, .float_op = "Identity"},
    {.name = "QuickGelu", .elementwise = true, .plain = true},
    normalization("SkipGroupNorm"),
    {.name = "SkipLayerNormalization", .layer = kNormalization, .plain = true},
    normalization("SkipSimplifiedLayerNormalization"),
    {.name = "TransposeMatMul", .layer = kProduct},
    {.name = "Trilu", .movement = kFills, .plain = true},
};

constexpr OperatorFacts kOther = {};
constexpr OperatorFacts kOtherElementwise = {.elementwise = true};

static_assert(std::ranges::is_sorted(kStandard, {}, &OperatorFacts::name));
static_assert(std::ranges::is_sorted(kMicrosoft, {}, &OperatorFacts::name));

bool has_text(const Node& node, std::string_view name, std::string_view value) {
  const Attribute* attribute = node.attribute(name);
  return !attribute || attribute->as_string() == value;
}

}  // namespace

const OperatorFacts& facts_of(const Node& node) {
  const std::string_view domain = normalized_domain(node.domain());
  const bool standard = domain.empty();
  if (!standard && domain != "com.microsoft") return kOther;
  const std::span<const OperatorFacts> rows = standard ? std::span<const OperatorFacts>(kStandard)
                                                       : std::span<const OperatorFacts>(kMicrosoft);
  const auto row = std::ranges::lower_bound(rows, node.op(), {}, &OperatorFacts::name);
  if (row != rows.end() && row->name == node.op()) return *row;
  const bool elementwise = standard && std::ranges::any_of(kElementwise, [&](const auto& names) {
                             return std::ranges::find(names, node.op()) != std::end(names);
                           });
  return elementwise ? kOtherElementwise : kOther;
}

bool moves_numbers(const Node& node) {
  const Movement movement = facts_of(node).movement;
  if (movement == kMerges) return has_text(node, "reduction", "none");  // of Scatter
  if (movement == kResizes) return has_text(node, "mode", "nearest");
  // Of integers a cast makes new numbers.
  if (movement == kConverts)
    return node.inputs().empty() || !is_integral(node.inputs()[0]->dtype());
  return movement < kConverts;
}

bool is_turned(const Node& node, size_t slot) {
  return int_attribute(node, slot == 0 ? "transA" : "transB", 0) != 0;
}

int64_t summed_axis(const Node& node, size_t slot) {
  const WeightLayout layout = facts_of(node).layout;
  if (layout == WeightLayout::kMatrix) return (slot == 0) != is_turned(node, slot) ? -1 : -2;
  return layout == WeightLayout::kInputsFirst && slot != 0 ? 0 : 1;
}

}  // namespace graphsurgeon
