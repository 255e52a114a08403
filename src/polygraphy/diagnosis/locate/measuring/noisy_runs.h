// Stochastic evaluations of a model.
#pragma once

#include <cstdint>
#include <functional>

#include "base/cancel.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/locate/measuring/model_runs.h"
#include "polygraphy/models/noise/noisy_model.h"

namespace polygraphy {

// Evaluates the model with noise `times` times on each of the feeds, and hands the tensors among
// the outputs to `take`. NoiseOptions::quantization moves weights, too: other ones for each time,
// but the same for all samples. Throws what run_samples() throws.
void run_noisy(const RunnerMaker& maker, const graphsurgeon::Model& model, NoiseOptions options,
               int64_t samples, int64_t times,
               const std::function<ValueMap(int64_t sample, int64_t time)>& feed,
               const std::function<void(int64_t sample, int64_t time, ArrayMap outputs)>& take,
               const CancelToken& cancel);

}  // namespace polygraphy
