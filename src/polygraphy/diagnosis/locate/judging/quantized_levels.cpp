#include "polygraphy/diagnosis/locate/judging/quantized_levels.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "graphsurgeon/fold/node_operands.h"
#include "polygraphy/diagnosis/locate/judging/numbers_of.h"
#include "polygraphy/diagnosis/locate/judging/rules.h"

namespace polygraphy {
namespace {

using graphsurgeon::Node;

struct Range {
  double least, greatest;
};

Range range_of(DataType integers) {
  const int bits = static_cast<int>(bit_width(integers));
  const bool is_signed = kind_of(integers) == Kind::kSigned;
  const double limit = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  return {is_signed ? -limit : 0, limit - 1};
}

// The distance that x / scale may have, because engines divide, or multiply by the inverse.
double quotient_distance(double q, double relative) {
  return std::max(rules::kLevels, std::fabs(q)) * std::max(rules::kUnitOfQuotient, 2 * relative);
}

// The index of the scale of each number; null: not known.
using ScaleIndex = std::function<size_t(size_t)>;

ScaleIndex scale_index(const Node& node, const Shape& shape, const Array& scale) {
  if (scale.size() == 1) return [](size_t) { return size_t{0}; };
  const auto rank = static_cast<int64_t>(shape.size());
  int64_t axis = graphsurgeon::int_attribute(node, "axis", 1);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return {};
  const auto at = static_cast<size_t>(axis);
  size_t inner = 1;
  for (size_t i = at + 1; i < shape.size(); ++i) inner *= static_cast<size_t>(shape[i]);
  const auto length = static_cast<size_t>(shape[at]);
  if (scale.shape() == Shape{shape[at]}) return [=](size_t i) { return i / inner % length; };
  const int64_t block = graphsurgeon::int_attribute(node, "block_size", 0);
  if (block < 1) return {};
  Shape blocked = shape;
  blocked[at] = (shape[at] + block - 1) / block;
  if (scale.shape() != blocked) return {};
  return [=, count = static_cast<size_t>(blocked[at])](size_t i) {
    const size_t in_block = i / inner % length / static_cast<size_t>(block);
    return (i / inner / length * count + in_block) * inner + i % inner;
  };
}

struct Scales {
  StepInput scale, zero;  // zero.values null: 0
  ScaleIndex index;
};

std::optional<Flips> count(const StepInput& input, const Scales& scales, const Array& reference,
                           const Array& observed) {
  const std::vector<double> steps = numbers_of(*scales.scale.values);
  if (std::find(steps.begin(), steps.end(), 0.0) != steps.end()) return std::nullopt;
  const std::vector<double> zeros =
      scales.zero.values ? numbers_of(*scales.zero.values) : std::vector<double>(steps.size());
  const std::vector<double> x = numbers_of(*input.values), right = numbers_of(reference),
                            seen = numbers_of(observed);
  const Range range = range_of(reference.dtype());
  Flips flips;
  for (size_t i = 0; i < right.size(); ++i) {
    if (right[i] == seen[i]) continue;
    ++flips.different;
    const size_t at = scales.index(i);
    const double scale = std::fabs(steps[at]), q = x[i] / steps[at];
    const double off = (input.distance + input.relative * std::fabs(x[i])) / scale +
                       quotient_distance(q, input.relative) +
                       std::fabs(q) * scales.scale.distance / scale;
    const auto level = [&](double quotient, double moved) {
      return std::clamp(std::nearbyint(quotient) + zeros[at] + moved, range.least, range.greatest);
    };
    const double low = level(q - off, -scales.zero.distance),
                 high = level(q + off, scales.zero.distance);
    flips.unexplained += std::min(right[i], seen[i]) < low || std::max(right[i], seen[i]) > high;
  }
  return flips;
}

std::optional<Flips> count_quantized(const Node& node, const std::vector<StepInput>& inputs,
                                     const Array& reference, const Array& observed) {
  if (inputs.size() < 2 || !inputs[1].values) return std::nullopt;
  Scales scales{.scale = inputs[1], .zero = {}, .index = {}};
  if (inputs.size() > 2) scales.zero = inputs[2];
  const bool has_zero = graphsurgeon::input_at(node, 2) != nullptr;
  const bool known =
      scales.zero.values && scales.zero.values->size() == scales.scale.values->size();
  if (!known && (has_zero || scales.zero.values)) return std::nullopt;
  scales.index = scale_index(node, reference.shape(), *inputs[1].values);
  if (!scales.index) return std::nullopt;
  return count(inputs[0], scales, reference, observed);
}

// Its scale and zero point follow from the least and the largest number.
std::optional<Flips> count_dynamic(const StepInput& input, size_t output, const Array& reference,
                                   const Array& observed) {
  const std::vector<double> x = numbers_of(*input.values);
  const auto [least, greatest] = std::minmax_element(x.begin(), x.end());
  const double low = std::min(0.0, *least), high = std::max(0.0, *greatest);
  const double scale = (high - low) / 255;
  if (!std::isfinite(scale) || scale == 0) return std::nullopt;
  const double scale_off = (2 * input.distance + input.relative * (high - low)) / 255;
  const double q = -low / scale;
  const double off = (input.distance - input.relative * low + q * scale_off) / scale +
                     quotient_distance(q, input.relative);
  const auto level = [](double quotient) {
    return std::clamp(std::nearbyint(quotient), 0.0, 255.0);
  };
  if (output == 2) {
    const double right = reference.get_double(0), seen = observed.get_double(0);
    const bool explained =
        std::min(right, seen) >= level(q - off) && std::max(right, seen) <= level(q + off);
    return Flips{.different = right != seen, .unexplained = !explained};
  }
  const Array step = Array::of<double>({}, {scale}), zero = Array::of<double>({}, {level(q)});
  const double moved = std::max(level(q + off) - level(q), level(q) - level(q - off));
  return count(input,
               {.scale = {.values = &step, .distance = scale_off},
                .zero = {.values = &zero, .distance = moved},
                .index = [](size_t) { return size_t{0}; }},
               reference, observed);
}

}  // namespace

std::optional<Flips> count_level_flips(const Node& node, size_t output,
                                       const std::vector<StepInput>& inputs, const Array& reference,
                                       const Array& observed) {
  if (!is_integral(reference.dtype())) return std::nullopt;
  return node.op() == "QuantizeLinear" ? count_quantized(node, inputs, reference, observed)
                                       : count_dynamic(inputs[0], output, reference, observed);
}

}  // namespace polygraphy
