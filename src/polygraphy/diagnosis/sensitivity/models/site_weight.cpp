#include "polygraphy/diagnosis/sensitivity/models/site_weight.h"

#include "base/arrays/convert.h"

namespace polygraphy {

WeightFormat site_format(const Site& site, const WeightFormat& format) {
  WeightFormat own = format;
  if (site.part > 0 && format.block == 0 && !format.per_tensor && !format.casts())
    own.block = site.shape[static_cast<size_t>(site.reduced_axis)];
  return own;
}

QuantizedWeight quantized_site(const Site& site, const Array& weight, const WeightFormat& format) {
  return quantize(weight, site_format(site, format), site.channel_axis, site.reduced_axis);
}

void quantize_site(Site& site, const Array& weight, const WeightFormat& format) {
  const QuantizedWeight quantized = quantized_site(site, weight, format);
  site.original = weight.contiguous_aligned();
  site.rounded = convert(quantized.dequantized(), site.dtype);
  site.quantized_bytes = quantized.bytes();
  site.rounds_input = format.activations;
}

}  // namespace polygraphy
