// Running models on all samples.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "polygraphy/backend/runner.h"
#include "polygraphy/loaders/model_source.h"
#include "polygraphy/tensors/value.h"

namespace polygraphy {

using MakeRunner = std::function<std::shared_ptr<Runner>(const ModelSource&)>;

// Loads the model, runs it on each of the feeds, `times` times, and hands the tensors among the
// outputs to `take`: of run 0 of sample 0, run 1 of sample 0 ... `feed` makes the feed of a run.
// Throws what the runner throws, Interrupted.
void run_samples(const MakeRunner& make, const ModelSource& source, int64_t samples, int64_t times,
                 const std::function<ValueMap(int64_t sample, int64_t time)>& feed,
                 const std::function<void(int64_t sample, int64_t time, ArrayMap outputs)>& take,
                 CancelToken cancel);

}  // namespace polygraphy
