// Judges errors of outputs by the rounding noise of a number format: `run --noise-floor`, as a
// comparison of results.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "polygraphy/comparison/compare/result_function.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

// More results than feeds, so the noise of the last results is not known.
inline constexpr ErrorCode kNoNoise{"no-noise"};

struct NoiseFloorJob {
  ModelSource model = {};
  // Makes an inactive runner without optimizations, which computes each operator in the types of
  // the model.
  std::function<std::shared_ptr<Runner>(const ModelSource&)> make_noise_runner = {};
  // Returns the feeds of the compared results; the same each time. Empty: generated.
  std::function<std::unique_ptr<FeedSource>()> make_feeds = {};
  // The number format of the runner of this name.
  std::function<NumberFormat(const std::string& runner)> format_of = {};
  int64_t runs = 3;      // stochastic evaluations; at least 2
  double threshold = 3;  // errors up to this multiple of the noise pass
  int64_t seed = 0;
  CancelToken cancel = {};
};

// The first result of a pair is the reference. For each output of the model it returns the error
// divided by the largest error of the stochastic evaluations in the second runner's format
// (JudgedError::ratio). Other outputs must be equal. A further result of the same first runner
// belongs to the next feed. Keeps the outputs of one evaluation. compare() throws Error (with the
// codes above), RunnerFailure, Interrupted.
std::shared_ptr<ResultComparison> noise_floor(NoiseFloorJob job, Logger& log);

}  // namespace polygraphy
