#include "building/operators.h"

#include <unordered_map>
#include <unordered_set>

namespace tensorrt_double {
namespace {

using nvinfer1::ActivationType;
using nvinfer1::ElementWiseOperation;
using nvinfer1::LayerType;
using nvinfer1::PoolingType;
using nvinfer1::ReduceOperation;
using nvinfer1::TopKOperation;
using nvinfer1::UnaryOperation;
using Table = std::unordered_map<std::string_view, OperatorLayer>;

OperatorLayer binary(ElementWiseOperation operation) {
  return {LayerType::kELEMENTWISE, static_cast<int>(operation)};
}
OperatorLayer unary(UnaryOperation operation) {
  return {LayerType::kUNARY, static_cast<int>(operation)};
}
OperatorLayer activation(ActivationType type) {
  return {LayerType::kACTIVATION, static_cast<int>(type)};
}
OperatorLayer pooling(PoolingType type) {
  return {LayerType::kPOOLING, static_cast<int>(type)};
}
OperatorLayer reduce(ReduceOperation operation) {
  return {LayerType::kREDUCE, static_cast<int>(operation)};
}
OperatorLayer top(TopKOperation operation) {
  return {LayerType::kTOPK, static_cast<int>(operation)};
}

const Table& table() {
  using E = ElementWiseOperation;
  using U = UnaryOperation;
  using A = ActivationType;
  using R = ReduceOperation;
  static const Table entries = {
      {"Add", binary(E::kSUM)},
      {"Attention", {LayerType::kATTENTION_OUTPUT}},
      {"Sub", binary(E::kSUB)},
      {"Mul", binary(E::kPROD)},
      {"Div", binary(E::kDIV)},
      {"Pow", binary(E::kPOW)},
      {"Max", binary(E::kMAX)},
      {"Min", binary(E::kMIN)},
      {"Sum", binary(E::kSUM)},
      {"Mod", binary(E::kFLOOR_DIV)},
      {"And", binary(E::kAND)},
      {"Or", binary(E::kOR)},
      {"Xor", binary(E::kXOR)},
      {"Equal", binary(E::kEQUAL)},
      {"Greater", binary(E::kGREATER)},
      {"GreaterOrEqual", binary(E::kGREATER)},
      {"Less", binary(E::kLESS)},
      {"LessOrEqual", binary(E::kLESS)},
      {"Exp", unary(U::kEXP)},
      {"Log", unary(U::kLOG)},
      {"Sqrt", unary(U::kSQRT)},
      {"Reciprocal", unary(U::kRECIP)},
      {"Abs", unary(U::kABS)},
      {"Neg", unary(U::kNEG)},
      {"Sin", unary(U::kSIN)},
      {"Cos", unary(U::kCOS)},
      {"Tan", unary(U::kTAN)},
      {"Sinh", unary(U::kSINH)},
      {"Cosh", unary(U::kCOSH)},
      {"Asin", unary(U::kASIN)},
      {"Acos", unary(U::kACOS)},
      {"Atan", unary(U::kATAN)},
      {"Asinh", unary(U::kASINH)},
      {"Acosh", unary(U::kACOSH)},
      {"Atanh", unary(U::kATANH)},
      {"Ceil", unary(U::kCEIL)},
      {"Floor", unary(U::kFLOOR)},
      {"Erf", unary(U::kERF)},
      {"Not", unary(U::kNOT)},
      {"Sign", unary(U::kSIGN)},
      {"Round", unary(U::kROUND)},
      {"IsInf", unary(U::kISINF)},
      {"IsNaN", unary(U::kISNAN)},
      {"Relu", activation(A::kRELU)},
      {"Sigmoid", activation(A::kSIGMOID)},
      {"Tanh", activation(A::kTANH)},
      {"LeakyRelu", activation(A::kLEAKY_RELU)},
      {"Elu", activation(A::kELU)},
      {"Selu", activation(A::kSELU)},
      {"Softsign", activation(A::kSOFTSIGN)},
      {"Softplus", activation(A::kSOFTPLUS)},
      {"Clip", activation(A::kCLIP)},
      {"HardSigmoid", activation(A::kHARD_SIGMOID)},
      {"ThresholdedRelu", activation(A::kTHRESHOLDED_RELU)},
      {"Gelu", activation(A::kGELU_ERF)},
      {"MaxPool", pooling(PoolingType::kMAX)},
      {"AveragePool", pooling(PoolingType::kAVERAGE)},
      {"ReduceSum", reduce(R::kSUM)},
      {"ReduceProd", reduce(R::kPROD)},
      {"ReduceMax", reduce(R::kMAX)},
      {"ReduceMin", reduce(R::kMIN)},
      {"ReduceMean", reduce(R::kAVG)},
      {"ReduceL1", reduce(R::kSUM)},
      {"ReduceL2", reduce(R::kSUM)},
      {"ReduceSumSquare", reduce(R::kSUM)},
      {"ReduceLogSum", reduce(R::kSUM)},
      {"ReduceLogSumExp", reduce(R::kSUM)},
      {"GlobalAveragePool", reduce(R::kAVG)},
      {"GlobalMaxPool", reduce(R::kMAX)},
      {"TopK", top(TopKOperation::kMAX)},
      {"ArgMax", top(TopKOperation::kMAX)},
      {"ArgMin", top(TopKOperation::kMIN)},
      {"Conv", {LayerType::kCONVOLUTION}},
      {"ConvTranspose", {LayerType::kDECONVOLUTION}},
      {"LRN", {LayerType::kLRN}},
      {"BatchNormalization", {LayerType::kSCALE}},
      {"Softmax", {LayerType::kSOFTMAX}},
      {"LogSoftmax", {LayerType::kSOFTMAX}},
      {"Concat", {LayerType::kCONCATENATION}},
      {"Gather", {LayerType::kGATHER}},
      {"GatherElements", {LayerType::kGATHER}},
      {"GatherND", {LayerType::kGATHER}},
      {"MatMul", {LayerType::kMATRIX_MULTIPLY}},
      {"Gemm", {LayerType::kMATRIX_MULTIPLY}},
      {"Reshape", {LayerType::kSHUFFLE}},
      {"Transpose", {LayerType::kSHUFFLE}},
      {"Flatten", {LayerType::kSHUFFLE}},
      {"Squeeze", {LayerType::kSHUFFLE}},
      {"Unsqueeze", {LayerType::kSHUFFLE}},
      {"DepthToSpace", {LayerType::kSHUFFLE}},
      {"SpaceToDepth", {LayerType::kSHUFFLE}},
      {"Slice", {LayerType::kSLICE}},
      {"Split", {LayerType::kSLICE}},
      {"Pad", {LayerType::kSLICE}},
      {"Expand", {LayerType::kSLICE}},
      {"Tile", {LayerType::kSLICE}},
      {"Shape", {LayerType::kSHAPE}},
      {"Size", {LayerType::kSHAPE}},
      {"Constant", {LayerType::kCONSTANT}},
      {"ConstantOfShape", {LayerType::kFILL}},
      {"Range", {LayerType::kFILL}},
      {"RandomUniform", {LayerType::kFILL}},
      {"RandomNormal", {LayerType::kFILL}},
      {"Cast", {LayerType::kCAST}},
      {"CastLike", {LayerType::kCAST}},
      {"NonZero", {LayerType::kNON_ZERO}},
      {"PRelu", {LayerType::kPARAMETRIC_RELU}},
      {"Resize", {LayerType::kRESIZE}},
      {"Upsample", {LayerType::kRESIZE}},
      {"Where", {LayerType::kSELECT}},
      {"QuantizeLinear", {LayerType::kQUANTIZE}},
      {"DequantizeLinear", {LayerType::kDEQUANTIZE}},
      {"ScatterElements", {LayerType::kSCATTER}},
      {"ScatterND", {LayerType::kSCATTER}},
      {"Einsum", {LayerType::kEINSUM}},
      {"OneHot", {LayerType::kONE_HOT}},
      {"GridSample", {LayerType::kGRID_SAMPLE}},
      {"NonMaxSuppression", {LayerType::kNMS}},
      {"ReverseSequence", {LayerType::kREVERSE_SEQUENCE}},
      {"LayerNormalization", {LayerType::kNORMALIZATION}},
      {"InstanceNormalization", {LayerType::kNORMALIZATION}},
      {"GroupNormalization", {LayerType::kNORMALIZATION}},
      {"CumSum", {LayerType::kCUMULATIVE}},
  };
  return entries;
}

}  // namespace

OperatorLayer layer_of_operator(std::string_view op) {
  const auto found = table().find(op);
  return found == table().end() ? OperatorLayer{LayerType::kIDENTITY} : found->second;
}

bool is_supported(std::string_view op, std::string_view domain) {
  static const std::unordered_set<std::string_view> refused = {
      "Bernoulli",         "BitShift",   "Det",
      "Multinomial",       "Optional",   "SequenceEmpty",
      "StringNormalizer",  "Unique",     "TfIdfVectorizer",
      "SequenceConstruct", "SequenceAt", "ConcatFromSequence",
      "SplitToSequence",   "Compress",   "MaxUnpool"};
  return (domain.empty() || domain == "ai.onnx") && !refused.contains(op);
}

bool reads_shape(std::string_view op, size_t input) {
  if (op == "Slice") return input >= 1;
  if (op == "Range" || op == "ConstantOfShape") return true;
  if (op == "Resize") return input >= 2;
  if (op == "Reshape" || op == "Expand" || op == "Tile" || op == "Pad" || op == "Unsqueeze" ||
      op == "Squeeze" || op == "Upsample" || op == "Split" || op == "OneHot" || op == "TopK") {
    return input == 1;
  }
  return false;
}

bool computes_shapes(std::string_view op) {
  static const std::unordered_set<std::string_view> operators = {
      "Add",    "Sub",   "Mul",     "Div",       "Max",      "Min",   "Cast",    "Concat",
      "Gather", "Slice", "Squeeze", "Unsqueeze", "Identity", "Where", "Reshape", "ReduceProd"};
  return operators.contains(op);
}

}  // namespace tensorrt_double
