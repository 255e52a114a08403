// Runtimes that run only models of tensors with known numbers of dimensions.
#pragma once

#include <string_view>

#include "base/error.h"

namespace polygraphy {

// Of a model that the runtime does not take: with its shapes fixed it may.
inline constexpr ErrorCode kUnknownRanks{"unknown-ranks"};

// Whether a runtime's message complains about ranks or dimensions that it does not know.
bool wants_known_ranks(std::string_view message);

}  // namespace polygraphy
