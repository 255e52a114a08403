// Runs models on all samples.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/models/loaders/model_source.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/runtimes/runner_factory/runner_maker.h"

namespace polygraphy {

// Loads the model, runs it on each of the feeds, `times` times, and hands the arrays of the outputs
// (flat_names.h: those of sequences are x[0], x[1] ...) to `take`: of run 0 of sample 0, run 1 of
// sample 0 ... `feed` makes the feed of a run. Throws what the runner throws, Interrupted.
void run_samples(const RunnerMaker& maker, const ModelSource& source, int64_t samples,
                 int64_t times, const std::function<ValueMap(int64_t sample, int64_t time)>& feed,
                 const std::function<void(int64_t sample, int64_t time, ArrayMap outputs)>& take,
                 CancelToken cancel);

// The arrays of the outputs, by sample; each is run once. Throws the same.
std::vector<ArrayMap> outputs_of(const RunnerMaker& maker, const ModelSource& source,
                                 int64_t samples,
                                 const std::function<ValueMap(int64_t sample)>& feed,
                                 CancelToken cancel);

// The same, with one feed per sample.
std::vector<ArrayMap> outputs_of(const RunnerMaker& maker, const ModelSource& source,
                                 const std::vector<ValueMap>& feeds, CancelToken cancel);

// The feed for an evaluation in `format`, with tensors rounded at random: the same for the same
// seed and evaluation. `as`: the same feed in the types of the model; null: those of `feed`.
// O(elements).
ValueMap rounded_feed(const ValueMap& feed, NumberFormat format, int64_t seed, int64_t evaluation,
                      const ValueMap* as = nullptr);

// The feed for an evaluation of numbers that another engine has rounded to `format`, and may have
// used before it did: moved at random by less than a rounding. O(elements).
ValueMap moved_feed(const ValueMap& feed, NumberFormat format, int64_t seed, int64_t evaluation);

}  // namespace polygraphy
