// Failures on generated inputs whose open dimensions are 1: not every model can do with that.
#pragma once

#include <functional>

#include "base/error.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

inline constexpr ErrorCode kOpenDimensions{"open-dimensions"};
// The model is a decoder: generated caches, masks and positions do not fit each other.
inline constexpr ErrorCode kGeneratedCache{"generated-cache"};

// Called while the failure is handled: throws it again. One that wrong shapes may explain says
// which shapes were made up: those of inputs with 1 for every open dimension.
[[noreturn]] void rethrow_with_open_dimensions(const RunnerFailure& failure, const Metadata& inputs,
                                               const ValueMap& feed);

// Calls `run`, which runs `feed` on the runner. A RunnerFailure says which shapes were made up:
// those of inputs that `feeds` generated with 1 for every open dimension.
IterationResult explaining_open_dimensions(const std::function<IterationResult()>& run,
                                           Runner& runner, const FeedSource& feeds,
                                           const ValueMap& feed);

}  // namespace polygraphy
