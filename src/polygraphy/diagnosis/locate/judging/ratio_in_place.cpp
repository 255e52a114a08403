#include "polygraphy/diagnosis/locate/judging/ratio_in_place.h"

#include "polygraphy/diagnosis/locate/judging/judged_error.h"

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

}  // namespace polygraphy
