// Quantises the weight of a site.
#pragma once

#include "polygraphy/diagnosis/sensitivity/formats/quantized_weight.h"
#include "polygraphy/diagnosis/sensitivity/models/sites.h"

namespace polygraphy {

// The format in which scales of experts are not shared: a channel of one expert is a block.
WeightFormat site_format(const Site& site, const WeightFormat& format);

// O(elements).
QuantizedWeight quantized_site(const Site& site, const Array& weight, const WeightFormat& format);
// Into the site, with its original. O(elements).
void quantize_site(Site& site, const Array& weight, const WeightFormat& format);

}  // namespace polygraphy
