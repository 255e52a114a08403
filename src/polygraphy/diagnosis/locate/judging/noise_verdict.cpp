#include "polygraphy/diagnosis/locate/judging/noise_verdict.h"

#include <algorithm>
#include <utility>

#include "polygraphy/diagnosis/locate/judging/judged_error.h"
#include "polygraphy/diagnosis/locate/judging/too_coarse.h"

namespace polygraphy {

MeasuredOutput measured_output(const Array& reference, const Array& observed, JudgedError error,
                               const Noise& noise, NumberFormat format) {
  MeasuredOutput measured{.error = std::move(error)};
  if (!is_floating(reference.dtype())) return measured;
  measured.format = format_of_numbers(format, reference, observed);
  measured.group = worst_group(reference, observed, noise, *measured.format);
  return measured;
}

bool is_off(const WholeModel& model, const std::string& output, const MeasuredOutput& measured,
            double threshold) {
  return measured.error.ratio > threshold ||
         group_is_off(model, output, measured.group.ratio, threshold);
}

NoiseVerdict noise_verdict(const WholeModel& model, const std::string& output,
                           const MeasuredOutput& measured, double threshold, bool quantization) {
  const auto& [error, group, format] = measured;
  NoiseVerdict verdict{.passed = !is_off(model, output, measured, threshold),
                       .group_off = group_is_off(model, output, group.ratio, threshold)};
  if (verdict.passed && format)
    verdict.coarse = too_coarse(model, output, error, *format, threshold, quantization);
  if (!verdict.coarse.empty()) {
    verdict.passed = false;
    return verdict;
  }
  const double of_group = verdict.group_off ? group.ratio / kGroupThresholds : 0;
  verdict.excess = std::max(error.ratio, of_group) / threshold;
  return verdict;
}

}  // namespace polygraphy
