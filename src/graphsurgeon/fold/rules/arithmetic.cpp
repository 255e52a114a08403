// Add, Sub, Mul, Div, Mod, Min, Max and the functions of one number that shape arithmetic uses.

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/sizes/broadcasting.h"

namespace graphsurgeon {

namespace {

constexpr std::string_view kOps[] = {"Abs", "Add", "Ceil", "Div", "Floor", "Max",
                                     "Min", "Mod", "Mul",  "Neg", "Sqrt",  "Sub"};

// Integers wrap around as the runtimes' do.
template <typename T, typename F>
T wrapped(T a, T b, F f) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(f(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  } else {
    return f(a, b);
  }
}

// False where the result is not defined, or where runtimes differ.
template <typename T>
bool compute(std::string_view op, bool fmod, T a, T b, T& out) {
  if (op == "Add") out = wrapped(a, b, [](auto x, auto y) { return x + y; });
  if (op == "Sub") out = wrapped(a, b, [](auto x, auto y) { return x - y; });
  if (op == "Mul") out = wrapped(a, b, [](auto x, auto y) { return x * y; });
  if constexpr (std::is_integral_v<T>) {
    if (op == "Div" || op == "Mod") {
      if (b == 0) return false;
      if (std::is_signed_v<T> && a == std::numeric_limits<T>::min() && b == static_cast<T>(-1)) {
        return false;
      }
      const T rest = static_cast<T>(a % b);
      // Division truncates; Mod has the sign of the divisor, as in Python, unless it is C's fmod.
      const bool shifted = !fmod && rest != 0 && ((rest < 0) != (b < 0));
      out = op == "Div" ? static_cast<T>(a / b) : shifted ? static_cast<T>(rest + b) : rest;
    }
  } else {
    if (op == "Div") out = a / b;
    if (op == "Mod") {
      if (!fmod) return false;
      out = std::fmod(a, b);
    }
    if (std::isnan(a) || std::isnan(b)) return op != "Min" && op != "Max";
  }
  if (op == "Min") out = b < a ? b : a;
  if (op == "Max") out = a < b ? b : a;
  return true;
}

template <typename T>
bool compute(std::string_view op, T a, T& out) {
  if constexpr (std::is_floating_point_v<T>) {
    if (op == "Floor") out = std::floor(a);
    if (op == "Ceil") out = std::ceil(a);
    if (op == "Sqrt") out = std::sqrt(a);
    if (op == "Abs") out = std::fabs(a);
  } else {
    if (op == "Floor" || op == "Ceil" || op == "Sqrt") return false;
    if (op == "Abs") out = a < 0 ? static_cast<T>(-static_cast<uint64_t>(a)) : a;
  }
  if (op == "Neg") {
    if constexpr (std::is_integral_v<T>) {
      out = static_cast<T>(-static_cast<uint64_t>(a));
    } else {
      out = -a;
    }
  }
  return true;
}

template <typename T>
bool run(const Node& node, const Elementwise& in, Array& result) {
  auto* out = reinterpret_cast<T*>(result.mutable_data());
  const auto first = in.values[0].as<T>();
  const auto index = broadcast_indices(in.values[0].shape(), result.shape());
  const std::string_view op = node.op();
  if (op == "Abs" || op == "Ceil" || op == "Floor" || op == "Neg" || op == "Sqrt") {
    for (size_t i = 0; i < first.size(); ++i) {
      if (!compute(op, first[i], out[i])) return false;
    }
    return in.values.size() == 1;
  }
  const bool variadic = op == "Min" || op == "Max";
  if (!variadic && in.values.size() != 2) return false;
  const bool fmod = op == "Mod" && int_attribute(node, "fmod", 0) != 0;
  for (size_t i = 0; i < index.size(); ++i) out[i] = first[static_cast<size_t>(index[i])];
  for (size_t k = 1; k < in.values.size(); ++k) {
    const auto next = in.values[k].as<T>();
    const auto at = broadcast_indices(in.values[k].shape(), result.shape());
    for (size_t i = 0; i < at.size(); ++i) {
      if (!compute(op, fmod, out[i], next[static_cast<size_t>(at[i])], out[i])) return false;
    }
  }
  return true;
}

bool run_typed(const Node& node, const Elementwise& in, Array& result) {
  switch (result.dtype()) {
    case DataType::kFloat32:
      return run<float>(node, in, result);
    case DataType::kFloat64:
      return run<double>(node, in, result);
    case DataType::kInt8:
      return run<int8_t>(node, in, result);
    case DataType::kInt16:
      return run<int16_t>(node, in, result);
    case DataType::kInt32:
      return run<int32_t>(node, in, result);
    case DataType::kInt64:
      return run<int64_t>(node, in, result);
    case DataType::kUint8:
      return run<uint8_t>(node, in, result);
    case DataType::kUint16:
      return run<uint16_t>(node, in, result);
    case DataType::kUint32:
      return run<uint32_t>(node, in, result);
    case DataType::kUint64:
      return run<uint64_t>(node, in, result);
    default:
      return false;
  }
}

bool apply_rule(Node& node, FoldContext& context) {
  // Before version 7 attributes controlled broadcasting.
  if (context.opset() < 7) return false;
  const auto in = elementwise_inputs(node, context);
  if (!in || in->values.empty()) return false;
  for (const Array& value : in->values) {
    if (value.dtype() != in->values[0].dtype()) return false;
  }
  Array result = Array::zeros(in->values[0].dtype(), in->work_shape());
  return run_typed(node, *in, result) && context.produce({in->result(std::move(result))});
}

}  // namespace

extern constinit const FoldRule fold_rule_arithmetic = {
    .name = "arithmetic",
    .summary = "sums, products, quotients, remainders, minima and roots of small constants",
    .ops = kOps,
    .apply = apply_rule,
};

}  // namespace graphsurgeon
