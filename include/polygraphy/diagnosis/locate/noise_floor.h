// Judges errors of outputs by the rounding noise of a number format: `run --noise-floor`, as a
// comparison of results.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ordered_map.h"
#include "polygraphy/comparison/compare/metric_options.h"
#include "polygraphy/comparison/compare/result_function.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// More results than feeds, so the noise of the last results is not known.
inline constexpr ErrorCode kNoNoise{"no-noise"};

struct NoiseFloorJob {
  ModelSource model = {};
  // Noise is computed with it: a runner that computes every operator as it stands, widely.
  RunnerSpec noise = bundled_runner_spec();
  // The feeds of the results to compare; the same each time. Empty: generated.
  std::function<std::unique_ptr<FeedSource>()> make_feeds = {};
  // The format that results are judged by; nullopt: the coarser of the formats that both runners
  // computed in, else the requested ones. Saved results have none; without any, float32.
  std::optional<NumberFormat> format = {};
  OrderedMap<NumberFormat> asked = {};  // by the name of the runner
  int64_t runs = 3;                     // stochastic evaluations; at least 2
  double threshold = 3;                 // errors up to this many times the noise pass
  int64_t seed = 0;
  // The other results are of the model before its weights and activations were quantised: what
  // rounding to their steps may move counts as noise. A warning if no model has such weights.
  bool quantization = false;
  // Of runners of other models than `model`: one with quantised weights gives the noise of
  // quantisation where `model` has none.
  std::vector<ModelSource> other_models = {};
  // Outputs of a decoder that are its caches, if results are of several steps: rounding to their
  // types counts as noise.
  std::vector<std::string> caches = {};
  // Inputs that are rounded numbers of the other side's: caches in float16 beside those in float32.
  std::vector<std::string> rounded_inputs = {};
  // Judges outputs by it instead, and by their noise: a metric that reads noise
  // (Metric::reads_noise).
  const Metric* metric = nullptr;
  MetricOptions metric_options = {};
  CancelToken cancel = {};
};

// The first of a pair of results is the reference; the second, where only that was saved. For each
// output that the model makes: its error as a multiple of the largest error that stochastic
// evaluations of the model in that format have, as JudgedError::ratio. Other outputs must be equal;
// those that one side lacks are not compared. A result for the same first runner as before is of
// the next feed. Keeps outputs of one evaluation. compare() throws Error (no common output, and as
// the codes above say), RunnerFailure, Interrupted. `factory` and `log` outlive it.
std::shared_ptr<ResultComparison> noise_floor(NoiseFloorJob job, RunnerFactory& factory,
                                              Logger& log);

}  // namespace polygraphy
