#include "polygraphy/diagnosis/locate/judging/too_coarse.h"

#include <fmt/format.h>

#include "polygraphy/diagnosis/locate/judging/rules.h"
#include "polygraphy/diagnosis/locate/judging/tensor_origin.h"

namespace polygraphy {

TooCoarse too_coarse(const WholeModel& model, const std::string& tensor, const JudgedError& judged,
                     std::optional<NumberFormat> format, double threshold, bool quantization) {
  const TensorError& error = judged.error;
  if (!error.incomparable.empty() || error.exact) return {};
  const bool small = error.relative() <= rules::kSmall;
  const bool as_large = threshold * judged.noise_norm >= error.reference_norm;
  const bool large_may_pass = format != NumberFormat::kFloat32 || quantization;
  if ((small || large_may_pass) && !as_large) return {};
  if (error.largest <= rules::kBothOff * threshold * error_of_function(model, tensor)) return {};
  const std::string noise =
      fmt::format("the noise{}{} at '{}' is {:.2g} times the output",
                  format ? fmt::format(" of {}", name_of(*format)) : "",
                  quantization ? (format ? " and of quantisation" : " of quantisation") : "",
                  tensor, judged.noise_norm / error.reference_norm);
  if (!small) return {.reason = noise};
  return {.reason = fmt::format("{}, so its error of {:.2g} % passes because it is at most {:g} %",
                                noise, 100 * error.relative(), 100 * rules::kSmall),
          .accepted = true};
}

}  // namespace polygraphy
