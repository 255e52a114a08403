// How the weights of a layer spread, channel by channel.
#pragma once

#include <cstdint>

#include "base/arrays/array.h"
#include "polygraphy/diagnosis/sensitivity/models/sites.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"

namespace polygraphy {

// The worst channel is that with the largest magnitude; those of experts are counted one expert
// after the other. O(elements x log elements of a channel).
ChannelStatistics channel_statistics(const Array& weight, const Site& site);

}  // namespace polygraphy
