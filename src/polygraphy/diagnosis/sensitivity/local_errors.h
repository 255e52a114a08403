// The error of each layer's own output, and the ranges of what layers read.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/sensitivity/formats/quantized_weight.h"
#include "polygraphy/diagnosis/sensitivity/models/overridable_model.h"
#include "polygraphy/diagnosis/sensitivity/models/sites.h"
#include "polygraphy/diagnosis/sensitivity/output_error.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// The inputs of all layers, as a model in floating point computes them.
class LayerInputs {
 public:
  // Throws Error, RunnerFailure.
  LayerInputs(const graphsurgeon::Model& model, const std::vector<Site>& sites,
              const RunnerSpec& engine, RunnerFactory& factory, Logger& log);

  const Metadata& inputs() { return runner_->input_metadata(); }
  // By name, of one sample; the last one's are kept.
  const ArrayMap& of(const ValueMap& sample);

 private:
  graphsurgeon::Model marked_;
  std::vector<std::string> tensors_;
  std::shared_ptr<Runner> runner_;
  std::optional<ActiveRunner> active_;
  const ValueMap* last_ = nullptr;
  ArrayMap values_;
};

// Of every float32 tensor that a layer reads, over all samples.
std::map<std::string, ActivationRange> activation_ranges(LayerInputs& inputs,
                                                         const std::vector<ValueMap>& samples,
                                                         const CancelToken& cancel);

// The sums for each site, whose nodes stand side by side in one model that gets their inputs: two
// runs per sample, and one more for each further weight of a MoE. Throws RunnerFailure, Error.
std::vector<ErrorSums> local_errors(const OverridableModel& model, const std::vector<Site>& sites,
                                    const std::map<std::string, ActivationRange>& ranges,
                                    LayerInputs& inputs, const std::vector<ValueMap>& samples,
                                    const RunnerSpec& engine, RunnerFactory& factory,
                                    const CancelToken& cancel, Logger& log);

}  // namespace polygraphy
