#include "polygraphy/diagnosis/sensitivity/output_differences.h"

#include <algorithm>
#include <cmath>

namespace polygraphy {
namespace {

constexpr int64_t kMostValues = 2048;
// Of numbers that are not finite: far more than any limit.
constexpr float kFarOff = 1e3F;

bool is_judged(const std::string& name, const SetCheck& check) {
  if (!decides_by_tokens(check.check) || check.reference.logits.empty()) return true;
  return std::ranges::any_of(check.reference.logits,
                             [&](const auto& logits) { return logits.first == name; });
}

}  // namespace

OutputDifferences::OutputDifferences(const SetCheck& check) : reference_(check.reference) {
  int64_t elements = 0;
  for (size_t i = 0; i < reference_.names.size(); ++i) {
    if (!is_judged(reference_.names[i], check)) continue;
    const double norm = std::sqrt(reference_.signals[i]);
    outputs_.push_back({reference_.names[i], norm > 0 ? static_cast<float>(1 / norm) : 1});
    for (const ArrayMap& sample : reference_.samples) {
      const Array* array = sample.find(reference_.names[i]);
      elements += array ? array->size() : 0;
    }
  }
  // Odd: rows of outputs mostly have even lengths.
  step_ = elements / kMostValues | 1;
}

void OutputDifferences::add(const ArrayMap& outputs) {
  const ArrayMap& expected = reference_.samples[next_++];
  for (const Output& output : outputs_) {
    const Array *one = expected.find(output.name), *other = outputs.find(output.name);
    if (!one) continue;
    const bool fits = other && other->dtype() == one->dtype() && other->shape() == one->shape();
    for (int64_t i = 0; i < one->size(); i += step_) {
      const double change = fits ? other->get_double(i) - one->get_double(i) : 0;
      const float difference = static_cast<float>(change) * output.scale;
      values_.push_back(fits && std::isfinite(difference) ? difference : kFarOff);
    }
  }
}

}  // namespace polygraphy
