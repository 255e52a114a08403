// The session that runs a model with any set of its layers quantised.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/sensitivity/formats/quantized_weight.h"
#include "polygraphy/diagnosis/sensitivity/models/overridable_model.h"
#include "polygraphy/diagnosis/sensitivity/models/skippable_segments.h"
#include "polygraphy/diagnosis/sensitivity/output_error.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// The weight of a layer that is not quantised, and of one that is.
struct LayerWeights {
  Array original, rounded;  // of the site's type
};

class LayerSets {
 public:
  // `ranges` by tensor, for the inputs of layers that `rounds_input` names; the samples run once in
  // floating point. All arguments but the model outlive it. Throws Error, RunnerFailure.
  LayerSets(OverridableModel model, const std::vector<LayerWeights>& weights,
            const std::map<std::string, ActivationRange>& ranges,
            const std::vector<bool>& rounds_input, const std::vector<ValueMap>& samples,
            const RunnerSpec& engine, RunnerFactory& factory, const CancelToken& cancel,
            Logger& log);
  ~LayerSets();

  const ReferenceOutputs& reference() const { return reference_; }
  // The effect of these layers where they are quantised.
  OutputEffect effect(const std::vector<bool>& quantized);
  // Whether their error is within the limit; stops at the first sample with which it is not.
  bool passes(const std::vector<bool>& quantized, double limit);
  int64_t runs() const { return runs_; }

 private:
  ArrayMap run(const std::vector<bool>& quantized, size_t sample);
  // Keeps the results of segments in floating point, and takes them from the outputs.
  ArrayMap without_segments(ArrayMap outputs);

  OverridableModel model_;
  SkippableModel segments_;
  std::vector<ValueMap> known_;  // results of segments for each sample, by the inputs for them
  const std::vector<LayerWeights>& weights_;
  const std::vector<bool>& rounds_input_;
  const std::vector<ValueMap>& samples_;
  const CancelToken& cancel_;
  ValueMap fixed_;  // scales and zero points
  std::shared_ptr<Runner> runner_;
  ReferenceOutputs reference_;
  int64_t runs_ = 0;
};

}  // namespace polygraphy
