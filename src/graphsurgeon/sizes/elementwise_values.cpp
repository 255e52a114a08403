#include "graphsurgeon/sizes/elementwise_values.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "graphsurgeon/sizes/broadcasting.h"

namespace graphsurgeon {

namespace {

const Dim kZero{int64_t{0}};
const Dim kOne{int64_t{1}};

// --- of one element

using Unary = Dim (*)(const Dim& a, SizeAlgebra& sizes);

template <Dim (SizeAlgebra::*operation)(const Dim&)>
Dim by(const Dim& a, SizeAlgebra& sizes) {
  return (sizes.*operation)(a);
}

Dim negated(const Dim& a, SizeAlgebra& sizes) {
  return sizes.difference(kZero, a);
}

Dim absolute(const Dim& a, SizeAlgebra& sizes) {
  if (sizes.is_at_least(a, kZero)) return a;
  return sizes.is_at_least(kZero, a) ? negated(a, sizes) : Dim();
}

Dim opposite(const Dim& a, SizeAlgebra&) {
  return a.has_value() ? Dim(int64_t{a.value() == 0}) : Dim();
}

Dim same_if_integer(const Dim& a, SizeAlgebra& sizes) {
  return sizes.is_integer(a) ? a : Dim();
}

// --- of two elements

using Binary = Dim (*)(const Dim& a, const Dim& b, SizeAlgebra& sizes);

template <Dim (SizeAlgebra::*operation)(const Dim&, const Dim&)>
Dim by(const Dim& a, const Dim& b, SizeAlgebra& sizes) {
  return (sizes.*operation)(a, b);
}

// Division of integers rounds towards zero.
Dim integer_quotient(const Dim& a, const Dim& b, SizeAlgebra& sizes) {
  if (a.has_value() && b.has_value()) {
    const bool overflows = b.value() == -1 && a.value() == std::numeric_limits<int64_t>::min();
    return b.value() == 0 || overflows ? Dim() : Dim(a.value() / b.value());
  }
  if (sizes.is_at_least(a, kZero) && sizes.is_at_least(b, kZero)) {
    return sizes.floor_quotient(a, b);
  }
  return same_if_integer(sizes.quotient(a, b), sizes);
}

// With the sign of the divisor.
Dim remainder(const Dim& a, const Dim& b, SizeAlgebra& sizes) {
  return sizes.is_at_least(b, kZero) || a.has_value() ? sizes.remainder(a, b) : Dim();
}

Dim c_remainder(const Dim& a, const Dim& b, SizeAlgebra& sizes) {
  if (a.has_value() && b.has_value()) {
    return b.value() == 0 || b.value() == -1 ? Dim() : Dim(a.value() % b.value());
  }
  const bool are_sizes = sizes.is_at_least(a, kZero) && sizes.is_at_least(b, kZero);
  return are_sizes ? sizes.remainder(a, b) : Dim();
}

Dim truth(bool is_true, bool is_false) {
  return is_true ? kOne : is_false ? kZero : Dim();
}

Dim is_greater(const Dim& a, const Dim& b, SizeAlgebra& sizes) {
  const bool are_integers = sizes.is_integer(a) && sizes.is_integer(b);
  return truth(are_integers && sizes.is_at_least(a, sizes.sum(b, kOne)), sizes.is_at_least(b, a));
}
Dim is_less(const Dim& a, const Dim& b, SizeAlgebra& sizes) {
  return is_greater(b, a, sizes);
}
Dim is_greater_or_equal(const Dim& a, const Dim& b, SizeAlgebra& sizes) {
  return opposite(is_greater(b, a, sizes), sizes);
}
Dim is_less_or_equal(const Dim& a, const Dim& b, SizeAlgebra& sizes) {
  return opposite(is_greater(a, b, sizes), sizes);
}
Dim is_equal(const Dim& a, const Dim& b, SizeAlgebra& sizes) {
  return truth(sizes.is_equal(a, b),
               is_greater(a, b, sizes) == kOne || is_greater(b, a, sizes) == kOne);
}

Dim conjunction(const Dim& a, const Dim& b, SizeAlgebra&) {
  return truth(a == kOne && b == kOne, a == kZero || b == kZero);
}
Dim disjunction(const Dim& a, const Dim& b, SizeAlgebra&) {
  return truth(a == kOne || b == kOne, a == kZero && b == kZero);
}

constexpr std::array<OperatorRow<Unary>, 6> kUnary = {{{"Abs", absolute},
                                                       {"Ceil", by<&SizeAlgebra::ceiling>},
                                                       {"Floor", by<&SizeAlgebra::floor>},
                                                       {"Neg", negated},
                                                       {"Not", opposite},
                                                       {"Round", same_if_integer}}};
constexpr std::array<OperatorRow<Binary>, 15> kBinary = {{{"Add", by<&SizeAlgebra::sum>},
                                                          {"And", conjunction},
                                                          {"Div", by<&SizeAlgebra::quotient>},
                                                          {"Equal", is_equal},
                                                          {"Greater", is_greater},
                                                          {"GreaterOrEqual", is_greater_or_equal},
                                                          {"Less", is_less},
                                                          {"LessOrEqual", is_less_or_equal},
                                                          {"Max", by<&SizeAlgebra::maximum>},
                                                          {"Min", by<&SizeAlgebra::minimum>},
                                                          {"Mod", remainder},
                                                          {"Mul", by<&SizeAlgebra::product>},
                                                          {"Or", disjunction},
                                                          {"Sub", by<&SizeAlgebra::difference>},
                                                          {"Sum", by<&SizeAlgebra::sum>}}};

bool is_float(DataType type) {
  return polygraphy::is_floating(type);
}

Binary binary_function(ValueNode& node) {
  const std::string_view op = node.node().op();
  if (op == "Div" && !is_float(node.type(0))) return integer_quotient;
  if (op == "Mod" && node.integer("fmod", 0) != 0)
    return is_float(node.type(0)) ? nullptr : c_remainder;
  return function_of(kBinary, op);
}

// --- broadcasting

KnownValues broadcast_to(const Shape& shape, KnownValues values) {
  if (values.shape == shape) return values;
  KnownValues result{shape, {}};
  for (const int64_t from : broadcast_indices(values.shape, shape))
    result.elements.push_back(values.elements[static_cast<size_t>(from)]);
  return result;
}

// The inputs that are there, in one shape. nullopt: the values of one have no known number.
std::optional<std::vector<KnownValues>> broadcast_inputs(ValueNode& node) {
  std::vector<KnownValues> inputs;
  for (size_t i = 0; i < node.node().inputs().size(); ++i) {
    auto values = node.has_input(i) ? node.values(i) : std::nullopt;
    if (!values) return std::nullopt;
    inputs.push_back(std::move(*values));
  }
  std::vector<Shape> shapes;
  for (const KnownValues& in : inputs) shapes.push_back(in.shape);
  const auto shape = broadcast_shape(shapes);
  if (!shape || inputs.empty() || element_count(*shape) > kMostElements) return std::nullopt;
  for (KnownValues& in : inputs) in = broadcast_to(*shape, std::move(in));
  return inputs;
}

// --- nodes

std::optional<KnownValues> unary(ValueNode& node, SizeAlgebra& sizes) {
  auto values = node.values(0);
  const Unary function = function_of(kUnary, node.node().op());
  if (!values) return std::nullopt;
  for (Dim& element : values->elements) element = function(element, sizes);
  return values;
}

std::optional<KnownValues> binary(ValueNode& node, SizeAlgebra& sizes) {
  auto inputs = broadcast_inputs(node);
  const Binary function = binary_function(node);
  if (!inputs || function == nullptr) return std::nullopt;
  KnownValues result = std::move(inputs->front());
  for (size_t k = 1; k < inputs->size(); ++k) {
    for (size_t i = 0; i < result.elements.size(); ++i) {
      result.elements[i] = function(result.elements[i], (*inputs)[k].elements[i], sizes);
    }
  }
  return result;
}

std::optional<KnownValues> where(ValueNode& node, SizeAlgebra& sizes) {
  auto inputs = broadcast_inputs(node);
  if (!inputs || inputs->size() != 3) return std::nullopt;
  KnownValues result = std::move((*inputs)[0]);
  for (size_t i = 0; i < result.elements.size(); ++i) {
    Dim& element = result.elements[i];
    const Dim &yes = (*inputs)[1].elements[i], &no = (*inputs)[2].elements[i];
    if (element.has_value()) {
      element = element.value() != 0 ? yes : no;
    } else {
      element = sizes.is_equal(yes, no) ? yes : Dim();
    }
  }
  return result;
}

// The limits are inputs since version 11.
std::optional<KnownValues> clip(ValueNode& node, SizeAlgebra& sizes) {
  auto values = node.values(0);
  if (!values || node.attribute("min") != nullptr || node.attribute("max") != nullptr) {
    return std::nullopt;
  }
  for (const size_t i : {size_t{1}, size_t{2}}) {
    if (!node.has_input(i)) continue;
    const auto limit = node.values(i);
    if (!limit || limit->elements.size() != 1) return std::nullopt;
    for (Dim& element : values->elements) {
      element = i == 1 ? sizes.maximum(element, limit->elements[0])
                       : sizes.minimum(element, limit->elements[0]);
    }
  }
  return values;
}

std::optional<KnownValues> cast(ValueNode& node, SizeAlgebra& sizes) {
  auto values = node.values(0);
  if (!values) return std::nullopt;
  const DataType to = node.result_type();
  const bool to_integer = polygraphy::is_integral(to);
  for (Dim& element : values->elements) {
    if (to == DataType::kBool) {
      element =
          truth(sizes.is_at_least(element, kOne) || (element.has_value() && element.value() != 0),
                element == kZero);
    } else if (to_integer && !sizes.is_integer(element)) {
      // Towards zero.
      element = sizes.is_at_least(element, kZero) ? sizes.floor(element) : Dim();
    }
  }
  return values;
}

}  // namespace

ValueFunction elementwise_function(std::string_view op) {
  if (op == "Where") return where;
  if (op == "Cast" || op == "CastLike") return cast;
  if (op == "Clip") return clip;
  if (function_of(kUnary, op) != nullptr) return unary;
  return function_of(kBinary, op) != nullptr ? binary : nullptr;
}

}  // namespace graphsurgeon
