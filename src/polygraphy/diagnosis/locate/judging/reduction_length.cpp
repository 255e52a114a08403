#include "polygraphy/diagnosis/locate/judging/reduction_length.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/diagnosis/locate/judging/rules.h"

namespace polygraphy {
namespace {

// Operators whose results have the shape of their input, and depend on many numbers each. Sorted.
constexpr std::string_view kNormalizing[] = {
    "CumSum", "GroupNormalization", "InstanceNormalization", "LRN", "MeanVarianceNormalization"};

// The same over the dimensions from the attribute "axis" on, the last one without it. Sorted.
constexpr std::string_view kFromAxisOn[] = {"LayerNormalization", "LogSoftmax", "LpNormalization",
                                            "RMSNormalization", "Softmax"};

// Operators whose results are sums of products of their first two inputs.
constexpr std::string_view kMultiplying[] = {"Einsum", "Gemm", "MatMul", "MatMulInteger",
                                             "QLinearMatMul"};

constexpr std::string_view kConvolving[] = {"Conv", "ConvInteger", "ConvTranspose", "DeformConv",
                                            "QLinearConv"};

constexpr std::string_view kRecurrent[] = {"GRU", "LSTM", "RNN"};

template <size_t Count>
bool is_among(const std::string_view (&names)[Count], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

double size_of(const Shape& shape) {
  double size = 1;
  for (const int64_t dimension : shape) size *= static_cast<double>(dimension);
  return size;
}

}  // namespace

double reduction_length(const graphsurgeon::Node& node, const std::vector<const Shape*>& inputs,
                        const Shape& output) {
  if (moves_numbers(node)) return 1;
  const auto shape = [&](size_t i) { return i < inputs.size() ? inputs[i] : nullptr; };
  const std::string_view op = node.op();
  const Shape* first = shape(0);
  double length = 1;
  if (is_among(kConvolving, op)) {
    const Shape* weight = shape(op == "QLinearConv" ? 3 : 1);
    if (weight && !weight->empty()) {
      const size_t outputs = op == "ConvTranspose" && weight->size() > 1 ? 1 : 0;
      length = size_of(*weight) / static_cast<double>(std::max<int64_t>(1, (*weight)[outputs]));
    }
  } else if (is_among(kMultiplying, op)) {
    const Shape* second = shape(op == "QLinearMatMul" ? 3 : 1);
    const double results = std::max(1.0, size_of(output));
    if (first && second && op == "MatMul" && !first->empty()) {
      length = static_cast<double>(first->back());
    } else if (first && second) {
      length = std::sqrt(size_of(*first) * size_of(*second) / results);
    }
  } else if (is_among(kRecurrent, op)) {
    const Shape* recurrence = shape(2);
    if (recurrence && !recurrence->empty() && first && !first->empty())
      length = static_cast<double>((recurrence->back() + first->back()) * first->front());
  } else if (is_among(kFromAxisOn, op) && first && !first->empty()) {
    const auto rank = static_cast<int64_t>(first->size());
    const int64_t axis = graphsurgeon::int_attribute(node, "axis", -1);
    length = size_of({first->begin() + std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank),
                      first->end()});
  } else if (is_among(kNormalizing, op) && first && !first->empty()) {
    length = size_of(*first) / static_cast<double>(std::max<int64_t>(1, first->front()));
  } else if (first) {
    length = size_of(*first) / std::max(1.0, size_of(output));
  }
  return std::max(1.0, length);
}

double algorithm_error(const graphsurgeon::Node& node, const std::vector<const Shape*>& inputs) {
  if (node.op() != "Conv" || inputs.size() < 2 || !inputs[1]) return 1;
  const Shape& weight = *inputs[1];
  const auto all_ones = [&](const char* name) {
    const auto values = graphsurgeon::ints_attribute(node, name);
    return !values ||
           std::all_of(values->begin(), values->end(), [](int64_t value) { return value == 1; });
  };
  const bool fits = weight.size() == 4 && weight[2] == 3 && weight[3] == 3 && all_ones("strides") &&
                    all_ones("dilations") && graphsurgeon::int_attribute(node, "group", 1) == 1;
  return fits ? rules::kWinograd : 1;
}

}  // namespace polygraphy
