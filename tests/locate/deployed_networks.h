// Small networks of the forms in which models are deployed: quantised as QDQ and as operators on
// integers, with attention masks of all usual forms, with sequences, and with numbers among which
// there are ties.
#pragma once

#include <span>

#include "small_networks.h"

namespace polygraphy {

std::span<const SmallNetwork> deployed_networks();

}  // namespace polygraphy
