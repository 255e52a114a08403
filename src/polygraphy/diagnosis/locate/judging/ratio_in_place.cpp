#include "polygraphy/diagnosis/locate/judging/ratio_in_place.h"

#include <utility>

#include "polygraphy/diagnosis/locate/judging/judged_error.h"
#include "polygraphy/diagnosis/locate/judging/noise_verdict.h"

namespace polygraphy {

double ratio_in_place(const Measurements& measurements, const std::string& tensor, size_t sample,
                      const Array& reference, const Array& observed, NumberFormat format) {
  const auto measured = measurements.find(tensor);
  if (measured == measurements.end()) return 0;
  return judged_error(
             reference, observed, format,
             noise_at_sample(measured->second.accumulated_noise, static_cast<int64_t>(sample)),
             measured->second.in_place())
      .ratio;
}

bool is_off_in_place(const LocateJob& job, const WholeModel& model,
                     const Measurements& measurements, const std::string& tensor, size_t sample,
                     const Array& reference, const Array& observed) {
  const auto measured = measurements.find(tensor);
  if (measured == measurements.end()) return false;
  const Noise noise =
      noise_at_sample(measured->second.accumulated_noise, static_cast<int64_t>(sample));
  JudgedError error =
      judged_error(reference, observed, job.format, noise, measured->second.in_place());
  return is_off(model, tensor,
                measured_output(reference, observed, std::move(error), noise, job.format),
                job.threshold);
}

}  // namespace polygraphy
