#include "polygraphy/model_tools/visual/op_groups.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace polygraphy {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kGroups = {{
    {"heavy",
     "Attention Conv ConvInteger ConvTranspose DeformConv Einsum GRU Gemm GroupQueryAttention LSTM "
     "MatMul MatMulInteger MatMulNBits MultiHeadAttention QLinearConv QLinearMatMul RNN"},
    {"norm",
     "BatchNormalization GroupNormalization InstanceNormalization LRN LayerNormalization "
     "LpNormalization MeanVarianceNormalization RMSNormalization SimplifiedLayerNormalization "
     "SkipLayerNormalization"},
    {"activation",
     "Celu Clip Elu Erf Gelu HardSigmoid HardSwish LeakyRelu LogSoftmax Mish PRelu Relu Selu "
     "Sigmoid Softmax Softplus Softsign Swish Tanh ThresholdedRelu"},
    {"move",
     "Cast CastLike Compress Concat ConstantOfShape DepthToSpace Expand Flatten Gather "
     "GatherElements GatherND Identity Pad Reshape Resize ScatterElements ScatterND Shape Size "
     "Slice SpaceToDepth Split Squeeze Tile Transpose Unsqueeze Upsample"},
    {"reduce",
     "ArgMax ArgMin AveragePool CumSum GlobalAveragePool GlobalMaxPool LpPool MaxPool "
     "NonMaxSuppression "
     "NonZero ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin "
     "ReduceProd ReduceSum ReduceSumSquare TopK"},
    {"quantize", "DequantizeLinear DynamicQuantizeLinear QuantizeLinear"},
    {"constant", "Constant"},
}};

}  // namespace

std::string_view op_group(std::string_view op) {
  for (const auto& [group, ops] : kGroups) {
    const auto names = split(ops, ' ');
    if (std::find(names.begin(), names.end(), op) != names.end()) return group;
  }
  return {};
}

}  // namespace polygraphy
