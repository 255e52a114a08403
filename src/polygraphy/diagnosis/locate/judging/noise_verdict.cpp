#include "polygraphy/diagnosis/locate/judging/noise_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "polygraphy/diagnosis/locate/judging/judged_error.h"
#include "polygraphy/diagnosis/locate/judging/rules.h"
#include "polygraphy/diagnosis/locate/judging/too_coarse.h"

namespace polygraphy {

namespace {

// Of an output whose NaNs and infinities the noise of the format has, too.
std::string beyond_range(const std::string& output, const TensorError& error, NumberFormat format) {
  return fmt::format(
      "{} of {} elements of '{}' are NaN or infinite on one side only, the first at {}: its "
      "computation leaves the range of {}",
      error.non_finite_mismatches, error.elements, output, error.first_mismatch, name_of(format));
}

}  // namespace

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
  const auto& [judged, group, format] = measured;
  const TensorError& error = judged.error;
  NoiseVerdict verdict{.group_off = group_is_off(model, output, group.ratio, threshold)};
  const bool off = is_off(model, output, measured, threshold);
  if (!off && error.non_finite_mismatches > 0) {
    verdict.agreement = Agreement::kTooCoarse;
    verdict.reason = beyond_range(output, error, format.value_or(NumberFormat::kFloat32));
    return verdict;
  }
  if (!off && error.elements > 0 && error.non_finite_reference == error.elements &&
      error.non_finite == error.elements) {
    verdict.agreement = Agreement::kNotFinite;
    verdict.reason = fmt::format("every element of '{}' is NaN or infinite on both sides", output);
    return verdict;
  }
  if (!off) {
    TooCoarse coarse = too_coarse(model, output, judged, format, threshold, quantization);
    verdict.reason = std::move(coarse.reason);
    if (!coarse.accepted && !verdict.reason.empty()) {
      verdict.agreement = Agreement::kTooCoarse;
      return verdict;
    }
  }
  verdict.agreement = off ? Agreement::kDiffers : Agreement::kAgrees;
  if (!error.incomparable.empty()) {
    verdict.reason = fmt::format("'{}' has {}", output, error.incomparable);
  } else if (off && error.non_finite_mismatches > 0) {
    verdict.reason = fmt::format("{} NaNs or infinities of '{}' are on one side only",
                                 error.non_finite_mismatches, output);
  }
  const double of_group = verdict.group_off ? group.ratio / rules::kGroupThresholds : 0;
  verdict.excess = std::max(judged.ratio, of_group) / threshold;
  return verdict;
}

}  // namespace polygraphy
