#include "polygraphy/diagnosis/locate/judging/too_coarse.h"

#include <fmt/format.h>

#include "polygraphy/diagnosis/locate/judging/rules.h"
#include "polygraphy/diagnosis/locate/judging/tensor_origin.h"

namespace polygraphy {

TooCoarse too_coarse(const WholeModel& model, const std::string& tensor, const JudgedError& judged,
                     NumberFormat format, double threshold, bool quantization) {
  const TensorError& error = judged.error;
  if (!error.incomparable.empty() || error.exact) return {};
  const bool small = error.relative() <= rules::kSmall;
  const bool as_large = threshold * judged.noise_norm >= error.reference_norm;
  if ((small || format != NumberFormat::kFloat32 || quantization) && !as_large) return {};
  if (error.largest <= rules::kBothOff * threshold * error_of_function(model, tensor)) return {};
  const std::string noise = fmt::format("the noise of {}{} at '{}' is {:.2g} times the output",
                                        name_of(format), quantization ? " and of quantisation" : "",
                                        tensor, judged.noise_norm / error.reference_norm);
  if (!small) return {.reason = noise};
  return {.reason = fmt::format("{}, so its error of {:.2g} % passes because it is at most {:g} %",
                                noise, 100 * error.relative(), 100 * rules::kSmall),
          .accepted = true};
}

}  // namespace polygraphy
