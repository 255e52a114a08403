#include "polygraphy/diagnosis/locate/judging/step_results.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include "graphsurgeon/fold/node_operands.h"
#include "graphsurgeon/operators/operator_facts.h"
#include "graphsurgeon/sizes/broadcasting.h"
#include "polygraphy/diagnosis/locate/judging/numbers_of.h"
#include "polygraphy/diagnosis/locate/judging/quantized_levels.h"

namespace polygraphy {
namespace {

using graphsurgeon::Node;

double distance_at(const StepInput& input, double number) {
  return input.distance + input.relative * std::fabs(number);
}

bool are_equal(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

bool is_within(double number, double low, double high) {
  return number >= low && number <= high;
}

// A monotone function of one number.
using Step = std::function<double(double)>;

std::optional<Step> step_of(const Node& node, const Array& result) {
  const std::string_view op = node.op();
  if (op == "Floor") return [](double x) { return std::floor(x); };
  if (op == "Ceil") return [](double x) { return std::ceil(x); };
  if (op == "Round") return [](double x) { return std::nearbyint(x); };
  if (op == "Sign") return [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; };
  const bool casts = facts_of(node).movement == graphsurgeon::Movement::kConverts;
  if (casts && is_integral(result.dtype()) && result.dtype() != DataType::kBool)
    return [](double x) { return std::trunc(x); };
  return std::nullopt;
}

// The range of integers of a type that floating-point numbers are converted to by every engine in
// the same way.
bool fits(double number, DataType type) {
  if (is_floating(type)) return true;
  const int bits = static_cast<int>(bit_width(type));
  const double limit = std::ldexp(1.0, std::min(bits, 32) - 1);
  return std::isfinite(number) && number > -limit && number < limit;
}

Flips count_steps(const Step& step, const StepInput& input, const Array& reference,
                  const Array& observed) {
  const std::vector<double> x = numbers_of(*input.values), right = numbers_of(reference),
                            seen = numbers_of(observed);
  Flips flips;
  for (size_t i = 0; i < right.size(); ++i) {
    if (are_equal(right[i], seen[i])) continue;
    // No step makes NaNs and infinities of other numbers: they are judged by the noise.
    if (!std::isfinite(right[i]) || !std::isfinite(seen[i])) continue;
    ++flips.different;
    const double distance = distance_at(input, x[i]);
    const double low = step(x[i] - distance), high = step(x[i] + distance);
    const bool explained = !fits(x[i], reference.dtype()) ||
                           (is_within(right[i], low, high) && is_within(seen[i], low, high));
    flips.unexplained += !explained;
  }
  return flips;
}

std::optional<Flips> count_comparisons(const std::vector<StepInput>& inputs, const Array& reference,
                                       const Array& observed) {
  if (inputs.size() != 2 || !inputs[0].values || !inputs[1].values) return std::nullopt;
  const Shape& shape = reference.shape();
  if (graphsurgeon::broadcast_shape({inputs[0].values->shape(), inputs[1].values->shape()}) !=
      shape)
    return std::nullopt;
  const std::vector<double> a = numbers_of(*inputs[0].values), b = numbers_of(*inputs[1].values);
  const std::vector<double> right = numbers_of(reference), seen = numbers_of(observed);
  const std::vector<int64_t> of_a =
      graphsurgeon::broadcast_indices(inputs[0].values->shape(), shape);
  const std::vector<int64_t> of_b =
      graphsurgeon::broadcast_indices(inputs[1].values->shape(), shape);
  Flips flips;
  for (size_t i = 0; i < right.size(); ++i) {
    if (right[i] == seen[i]) continue;
    ++flips.different;
    const double x = a[static_cast<size_t>(of_a[i])], y = b[static_cast<size_t>(of_b[i])];
    const double near = distance_at(inputs[0], x) + distance_at(inputs[1], y);
    flips.unexplained += !(std::fabs(x - y) <= near && near > 0);
  }
  return flips;
}

// Indices along an axis of numbers of which the largest or smallest are chosen.
std::optional<Flips> count_choices(const Node& node, const StepInput& input, const Array& reference,
                                   const Array& observed) {
  const Shape& shape = input.values->shape();
  const auto rank = static_cast<int64_t>(shape.size());
  int64_t axis = graphsurgeon::int_attribute(node, "axis", facts_of(node).axis);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank || reference.size() == 0) return std::nullopt;
  int64_t inner = 1, outer = 1;
  for (int64_t i = 0; i < rank; ++i)
    (i < axis ? outer : inner) *= i == axis ? 1 : shape[static_cast<size_t>(i)];
  const int64_t length = shape[static_cast<size_t>(axis)];
  if (outer * inner == 0 || reference.size() % (outer * inner) != 0) return std::nullopt;
  const int64_t chosen = reference.size() / (outer * inner);
  const std::vector<double> x = numbers_of(*input.values);
  const bool last = graphsurgeon::int_attribute(node, "select_last_index", 0) != 0;
  const bool sorted = graphsurgeon::int_attribute(node, "sorted", 1) != 0;
  StepInput reach = input;
  if (input.exact) reach.distance = 0;
  Flips flips;
  for (int64_t i = 0; i < reference.size(); ++i) {
    const int64_t right = reference.get_int64(i), seen = observed.get_int64(i);
    if (right == seen) continue;
    ++flips.different;
    const int64_t row = i / (chosen * inner), column = i % inner;
    const auto place = [&](int64_t index) {
      return static_cast<size_t>((row * length + index) * inner + column);
    };
    const bool inside = seen >= 0 && seen < length && right >= 0 && right < length;
    if (!inside) {
      ++flips.unexplained;
      continue;
    }
    const auto is_exact = [&](int64_t index) {
      return input.exact || (input.noises && input.noises->as<float>()[place(index)] == 0);
    };
    const auto is_chosen = [&](int64_t index) {
      const int64_t first = row * chosen * inner + column;
      for (int64_t at = first; sorted ? at < i : at < first + chosen * inner; at += inner) {
        if (observed.get_int64(at) == index) return true;
      }
      return false;
    };
    bool misordered = false;
    for (int64_t k = last ? seen + 1 : 0; k < (last ? length : seen) && is_exact(seen); ++k)
      misordered |= x[place(k)] == x[place(seen)] && is_exact(k) && !is_chosen(k);
    const double a = x[place(right)], b = x[place(seen)];
    const bool near = std::fabs(a - b) <= distance_at(reach, a) + distance_at(reach, b);
    flips.misordered += misordered;
    flips.unexplained += misordered || !near;
  }
  return flips;
}

// The results of a node whose first input is known, with floating-point numbers.
struct StepNode {
  const Node& node;
  size_t output;
  const std::vector<StepInput>& inputs;
  const Array &reference, &observed;
};

std::optional<Flips> count_first_choices(const StepNode& step) {
  return count_choices(step.node, step.inputs[0], step.reference, step.observed);
}

std::optional<Flips> count_last_choices(const StepNode& step) {
  if (step.output != 1) return std::nullopt;
  return count_choices(step.node, step.inputs[0], step.reference, step.observed);
}

std::optional<Flips> count_compared(const StepNode& step) {
  return count_comparisons(step.inputs, step.reference, step.observed);
}

std::optional<Flips> count_levels(const StepNode& step) {
  return count_level_flips(step.node, step.output, step.inputs, step.reference, step.observed);
}

std::optional<Flips> count_rounded(const StepNode& step) {
  const auto function = step_of(step.node, step.reference);
  if (!function || step.inputs[0].values->size() != step.reference.size()) return std::nullopt;
  return count_steps(*function, step.inputs[0], step.reference, step.observed);
}

struct StepOperator {
  std::string_view op;
  std::optional<Flips> (*count)(const StepNode& step);
};
constexpr StepOperator kSteps[] = {
    {"ArgMax", count_first_choices},  {"ArgMin", count_first_choices},
    {"Cast", count_rounded},          {"CastLike", count_rounded},
    {"Ceil", count_rounded},          {"DynamicQuantizeLinear", count_levels},
    {"Equal", count_compared},        {"Floor", count_rounded},
    {"Greater", count_compared},      {"GreaterOrEqual", count_compared},
    {"Less", count_compared},         {"LessOrEqual", count_compared},
    {"QuantizeLinear", count_levels}, {"Round", count_rounded},
    {"Sign", count_rounded},          {"TopK", count_last_choices}};

const StepOperator* find_step(std::string_view op) {
  const auto* const found = std::find_if(std::begin(kSteps), std::end(kSteps),
                                         [&](const StepOperator& each) { return each.op == op; });
  return found == std::end(kSteps) ? nullptr : found;
}

}  // namespace

bool is_step(std::string_view op) {
  return find_step(op) != nullptr;
}

std::optional<Flips> count_flips(const Node& node, size_t output,
                                 const std::vector<StepInput>& inputs, const Array& reference,
                                 const Array& observed) {
  const StepOperator* step = find_step(node.op());
  const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
  if (!step || !standard || inputs.empty() || !inputs[0].values ||
      reference.shape() != observed.shape() || reference.size() == 0 ||
      !is_floating(inputs[0].values->dtype()))
    return std::nullopt;
  return step->count({node, output, inputs, reference, observed});
}

bool names_nothing(const std::vector<StepInput>& inputs, const Array& indices) {
  if (inputs.size() < 2 || !inputs[0].values || !inputs[1].values) return false;
  const Shape &boxes = inputs[0].values->shape(), &scores = inputs[1].values->shape();
  if (boxes.size() != 3 || scores.size() != 3) return false;
  const int64_t sizes[] = {scores[0], scores[1], boxes[1]};
  for (int64_t i = 0; i < indices.size(); ++i) {
    const int64_t index = indices.get_int64(i);
    if (index < 0 || index >= sizes[i % 3]) return true;
  }
  return false;
}

bool reads_shapes_only(const Node& node) {
  return node.op() == "Shape" || node.op() == "Size";
}

}  // namespace polygraphy
