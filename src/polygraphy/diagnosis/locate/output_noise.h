// The noise of tensors of a model for one input.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/cancel.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/locate/judging/noise.h"
#include "polygraphy/diagnosis/locate/judging/tensor_accumulations.h"
#include "polygraphy/diagnosis/locate/measuring/measurements.h"
#include "polygraphy/diagnosis/locate/measuring/side_runs.h"
#include "polygraphy/models/noise/number_format.h"
#include "polygraphy/models/parts/whole_model.h"

namespace polygraphy {

struct NoiseSettings {
  int64_t runs = 3;  // stochastic evaluations; 0: there is no noise
  int64_t seed = 0;
  bool quantization = false;             // rounding to the steps of quantised numbers counts, too
  bool dynamic_steps = false;            // NoiseOptions::dynamic_steps
  std::vector<std::string> caches = {};  // NoiseOptions::caches
  std::vector<std::string> rounded_inputs = {};  // NoiseFloorJob::rounded_inputs
  CancelToken cancel = {};
};

using Noises = std::unordered_map<std::string, Noise>;

// Evaluates the model on the runner for noise: as it is, and rounded at random.
class OutputNoise {
 public:
  // Both outlive it.
  OutputNoise(const WholeModel& model, const RunnerMaker& runner, NoiseSettings settings)
      : model_(model), runner_(runner), settings_(std::move(settings)) {}

  // The next input.
  void begin(ValueMap feed);
  // The noise of tensors that nodes make, with their exact values. Replaces earlier ones.
  // Throws what the runner throws, Interrupted.
  void find(NumberFormat format, const std::vector<std::string>& names);
  // The same from what is known already; null: a tensor that is not. False: one is not.
  bool take(const std::vector<std::string>& names,
            const std::function<const ExactWithNoise*(const std::string&)>& known);
  // Of other evaluations, against the same exact values. `factor`: multiplies noise in float32.
  Noises evaluate(NumberFormat format, const std::vector<std::string>& names, int64_t runs,
                  double factor) const;

  const ValueMap& feed() const { return feed_; }
  // O(model) for the first call of an input.
  const std::unordered_map<std::string, TensorAccumulation>& accumulations() const;
  const ArrayMap& exact() const { return exact_; }
  const Noises& noises() const { return noises_; }

 private:
  const WholeModel& model_;
  const RunnerMaker& runner_;
  const NoiseSettings settings_;
  ValueMap feed_;
  mutable std::optional<std::unordered_map<std::string, TensorAccumulation>> accumulations_;
  ArrayMap exact_;
  Noises noises_;
};

}  // namespace polygraphy
