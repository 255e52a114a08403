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
#include "polygraphy/comparison/compare/metric_options.h"
#include "polygraphy/comparison/compare/result_function.h"
#include "polygraphy/data/inputs/feed_source.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/runtimes/decoding/decode_options.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// More results than feeds, so the noise of the last results is not known.
inline constexpr ErrorCode kNoNoise{"no-noise"};

struct NoiseFloorJob {
  ModelSource model = {};
  // Noise is computed with it: a runner that computes every operator as it stands, widely.
  RunnerSpec noise = bundled_runner_spec();
  // The feeds of the results to compare, or their prompts; the same each time. Empty: generated.
  std::function<std::unique_ptr<FeedSource>()> make_feeds = {};
  // Of runners that decoded the results: all tokens of a prompt run in one inference, and rounding
  // of caches to their types counts as noise. null: each result is of one inference.
  std::shared_ptr<Decoding> decoding = {};
  // The format that results are judged by; nullopt: the coarser of the formats that both runners
  // computed in, else the requested ones. Saved results have none; without any, float32.
  std::optional<NumberFormat> format = {};
  // Those of the results, with names: their options request formats, and the model of one gives the
  // noise of quantisation where it has quantised weights, and `model` has none.
  std::vector<RunnerSpec> runners = {};
  int64_t runs = 3;      // stochastic evaluations; at least 2
  double threshold = 3;  // errors up to this many times the noise pass
  int64_t seed = 0;
  // The other results are of the model before its weights and activations were quantised: what
  // rounding to their steps may move counts as noise. A warning if no model has such weights.
  bool quantization = false;
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
// the codes above say), RunnerFailure, Interrupted. `factory` and `log` outlive it. Throws Error as
// require_noise() and RunnerFactory::onnx().
std::shared_ptr<ResultComparison> noise_floor(NoiseFloorJob job, RunnerFactory& factory,
                                              Logger& log);

// Throws Error for fewer than 2 stochastic evaluations, and for a threshold below 1.
void require_noise(int64_t runs, double threshold);
void require_noise_runs(int64_t runs);
void require_noise_threshold(double threshold);

}  // namespace polygraphy
