// How the weights of a layer spread, channel by channel.
#pragma once

#include <cstdint>

#include "base/arrays/array.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"

namespace polygraphy {

// The worst channel is that with the largest magnitude. O(elements x log elements of a channel).
ChannelStatistics channel_statistics(const Array& weight, int64_t channel_axis);

}  // namespace polygraphy
