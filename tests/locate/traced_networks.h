// Transformers that compute their sizes from shapes, as tracing in PyTorch exports them.
#pragma once

#include <span>

#include "small_networks.h"

namespace polygraphy {

std::span<const SmallNetwork> traced_networks();

}  // namespace polygraphy
