#include "polygraphy/diagnosis/locate/judging/reduction_length.h"

#include <algorithm>
#include <cmath>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "polygraphy/diagnosis/locate/judging/rules.h"

namespace polygraphy {
namespace {

using graphsurgeon::OperatorFacts;
using graphsurgeon::Sums;
using graphsurgeon::WeightLayout;

double size_of(const Shape& shape) {
  double size = 1;
  for (const int64_t dimension : shape) size *= static_cast<double>(dimension);
  return size;
}

double length_of_window(const OperatorFacts& facts, const Shape* weight) {
  if (!weight || weight->empty()) return 1;
  const size_t outputs = facts.layout == WeightLayout::kInputsFirst && weight->size() > 1 ? 1 : 0;
  return std::max(1.0,
                  size_of(*weight) / static_cast<double>(std::max<int64_t>(1, (*weight)[outputs])));
}

}  // namespace

double reduction_length(const graphsurgeon::Node& node, const std::vector<const Shape*>& inputs,
                        const Shape& output) {
  if (moves_numbers(node)) return 1;
  const OperatorFacts& facts = facts_of(node);
  const auto shape = [&](size_t i) { return i < inputs.size() ? inputs[i] : nullptr; };
  const Shape* first = shape(0);
  const Shape* second = shape(facts.weight < 0 ? 1 : static_cast<size_t>(facts.weight));
  if (facts.sums == Sums::kWindow) return length_of_window(facts, second);
  if (!first) return 1;
  const auto rank = static_cast<int64_t>(first->size());
  const auto behind = [&](int64_t axis) {
    return size_of({first->begin() + std::clamp<int64_t>(axis < 0 ? axis + rank : axis, 0, rank),
                    first->end()});
  };
  double length = 1;
  switch (facts.sums) {
    case Sums::kWindow:
      break;
    case Sums::kFactors:
      if (facts.layout == WeightLayout::kMatrix) {
        const int64_t axis = rank + summed_axis(node, 0);
        if (axis >= 0) length = static_cast<double>((*first)[static_cast<size_t>(axis)]);
      } else if (second) {
        length = std::sqrt(size_of(*first) * size_of(*second) / std::max(1.0, size_of(output)));
      }
      break;
    case Sums::kSequence:
      if (const Shape* recurrence = shape(2); recurrence && !recurrence->empty() && rank > 0)
        length = static_cast<double>((recurrence->back() + first->back()) * first->front());
      break;
    case Sums::kBehindAxis:
      length = behind(graphsurgeon::int_attribute(node, "axis", facts.axis));
      break;
    case Sums::kSample:
      length = behind(1);
      break;
    case Sums::kReduced:
      length = size_of(*first) / std::max(1.0, size_of(output));
      break;
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
