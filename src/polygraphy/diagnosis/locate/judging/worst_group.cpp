#include "polygraphy/diagnosis/locate/judging/worst_group.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "polygraphy/diagnosis/locate/judging/numbers_of.h"
#include "polygraphy/diagnosis/locate/judging/rules.h"
#include "polygraphy/diagnosis/locate/judging/tensor_origin.h"

namespace polygraphy {
namespace {

// Engines take numbers below it for 0.
double smallest_normal(NumberFormat format) {
  return std::ldexp(1.0, 1 - std::ilogb(largest_number(format)));
}

std::vector<double> ratios_of(const Array& reference, const Array& observed, const Noise& noise,
                              NumberFormat format) {
  std::vector<double> ratios = numbers_of(observed);
  const std::vector<double> right = numbers_of(reference);
  const auto noises = noise.of_elements.as<float>();
  const double unit = std::ldexp(rules::kRoundings, -significant_digits(format));
  const double least = smallest_normal(format);
  for (size_t i = 0; i < ratios.size(); ++i) {
    const double error = std::fabs(ratios[i] - right[i]), own = static_cast<double>(noises[i]);
    // Of a number that is 0 whatever the noise, the size of errors is not known.
    const bool unknown = !std::isfinite(error) || (right[i] == 0 && own == 0);
    ratios[i] = unknown || error <= rules::kWrong * std::fabs(right[i])
                    ? 0
                    : error / (rules::kFew * own + unit * std::fabs(right[i]) + least);
  }
  return ratios;
}

}  // namespace

ElementGroup worst_group(const Array& reference, const Array& observed, const Noise& noise,
                         NumberFormat format) {
  ElementGroup worst;
  if (noise.of_elements.size() != reference.size() || reference.shape() != observed.shape() ||
      !is_floating(reference.dtype()) || format == NumberFormat::kInt8 || reference.size() == 0)
    return worst;
  const std::vector<double> ratios = ratios_of(reference, observed, noise, format);
  size_t inner = ratios.size();
  for (size_t axis = 0; axis < reference.shape().size(); ++axis) {
    const auto length = static_cast<size_t>(reference.shape()[axis]);
    inner /= length;
    const size_t count = ratios.size() / length;
    if (length < 2 || count < rules::kFewestInGroup) continue;
    std::vector<double> group(count);
    for (size_t index = 0; index < length; ++index) {
      for (size_t i = 0; i < count; ++i)
        group[i] = ratios[(i / inner * length + index) * inner + i % inner];
      const auto middle = group.begin() + static_cast<ptrdiff_t>((count - 1) / 2);
      std::nth_element(group.begin(), middle, group.end());
      if (*middle > worst.ratio) worst = {axis, static_cast<int64_t>(index), *middle};
    }
  }
  return worst;
}

bool group_is_off(const WholeModel& model, const std::string& tensor, double ratio,
                  double threshold) {
  return ratio > rules::kGroupThresholds * threshold && !is_behind_steps(model, tensor);
}

}  // namespace polygraphy
