// Equal, Greater, Less, And, Or, Xor, Not, Where.

#include <cmath>
#include <cstring>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/sizes/broadcasting.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"And",         "Equal", "Greater", "GreaterOrEqual", "Less",
                                     "LessOrEqual", "Not",   "Or",      "Where",          "Xor"};

template <typename T>
bool holds(std::string_view op, T a, T b) {
  if (op == "Equal") return a == b;
  if (op == "Greater") return a > b;
  if (op == "GreaterOrEqual") return a >= b;
  if (op == "Less") return a < b;
  if (op == "LessOrEqual") return a <= b;
  if (op == "And") return a != 0 && b != 0;
  if (op == "Or") return a != 0 || b != 0;
  return (a != 0) != (b != 0);  // Xor
}

template <typename T>
void compare(std::string_view op, const Elementwise& in, Array& result) {
  const auto a = in.values[0].as<T>();
  const auto b = in.values[1].as<T>();
  const auto at_a = broadcast_indices(in.values[0].shape(), result.shape());
  const auto at_b = broadcast_indices(in.values[1].shape(), result.shape());
  for (size_t i = 0; i < at_a.size(); ++i) {
    result.mutable_data()[i] = static_cast<std::byte>(
        holds(op, a[static_cast<size_t>(at_a[i])], b[static_cast<size_t>(at_b[i])]) ? 1 : 0);
  }
}

bool compare_typed(std::string_view op, const Elementwise& in, Array& result) {
  if (in.values.size() != 2 || in.values[0].dtype() != in.values[1].dtype()) return false;
  const DataType type = in.values[0].dtype();
  const bool logical = op == "And" || op == "Or" || op == "Xor";
  if (logical != (type == DataType::kBool) && op != "Equal") return false;
  switch (type) {
    case DataType::kBool:
      compare<uint8_t>(op, in, result);
      return true;
    case DataType::kFloat32:
      compare<float>(op, in, result);
      return true;
    case DataType::kFloat64:
      compare<double>(op, in, result);
      return true;
    case DataType::kInt8:
      compare<int8_t>(op, in, result);
      return true;
    case DataType::kInt16:
      compare<int16_t>(op, in, result);
      return true;
    case DataType::kInt32:
      compare<int32_t>(op, in, result);
      return true;
    case DataType::kInt64:
      compare<int64_t>(op, in, result);
      return true;
    case DataType::kUint8:
      compare<uint8_t>(op, in, result);
      return true;
    case DataType::kUint16:
      compare<uint16_t>(op, in, result);
      return true;
    case DataType::kUint32:
      compare<uint32_t>(op, in, result);
      return true;
    case DataType::kUint64:
      compare<uint64_t>(op, in, result);
      return true;
    default:
      return false;
  }
}

bool negate(const Elementwise& in, Array& result) {
  if (in.values.size() != 1 || in.values[0].dtype() != DataType::kBool) return false;
  for (size_t i = 0; i < static_cast<size_t>(result.size()); ++i) {
    result.mutable_data()[i] = static_cast<std::byte>(in.values[0].as<uint8_t>()[i] == 0 ? 1 : 0);
  }
  return true;
}

bool choose(const Elementwise& in, Array& result) {
  if (in.values.size() != 3 || in.values[0].dtype() != DataType::kBool ||
      in.values[1].dtype() != in.values[2].dtype()) {
    return false;
  }
  const auto width = static_cast<size_t>(polygraphy::bit_width(result.dtype()) / 8);
  std::vector<int64_t> at[3];
  for (size_t k = 0; k < 3; ++k) {
    at[k] = broadcast_indices(in.values[k].shape(), result.shape());
  }
  for (size_t i = 0; i < at[0].size(); ++i) {
    const size_t from = in.values[0].as<uint8_t>()[static_cast<size_t>(at[0][i])] != 0 ? 1 : 2;
    std::memcpy(result.mutable_data() + i * width,
                in.values[from].data() + static_cast<size_t>(at[from][i]) * width, width);
  }
  return true;
}

bool apply_rule(Node& node, FoldContext& context) {
  if (context.opset() < 7) return false;
  const auto in = elementwise_inputs(node, context);
  if (!in || in->values.empty()) return false;
  const bool where = node.op() == "Where";
  if (where && in->values.size() != 3) return false;
  Array result = Array::zeros(where ? in->values[1].dtype() : DataType::kBool, in->work_shape());
  const bool done = where                ? choose(*in, result)
                    : node.op() == "Not" ? negate(*in, result)
                                         : compare_typed(node.op(), *in, result);
  return done && context.produce({in->result(std::move(result))});
}

}  // namespace

extern constinit const FoldRule fold_rule_comparison = {
    .name = "comparison",
    .summary = "comparisons, logic and Where on small constants",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
