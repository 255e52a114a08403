// The session that runs a model with any set of its layers quantised.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/data/tensors/value.h"
#include "polygraphy/diagnosis/sensitivity/formats/quantized_weight.h"
#include "polygraphy/diagnosis/sensitivity/models/overridable_model.h"
#include "polygraphy/diagnosis/sensitivity/models/skippable_segments.h"
#include "polygraphy/diagnosis/sensitivity/set_runs.h"
#include "polygraphy/runtimes/runner_factory/runner_factory.h"

namespace polygraphy {

// The model's scales and zero points become constants, by tensor.
void set_ranges(OverridableModel& model, const std::map<std::string, ActivationRange>& ranges);

// The inputs that a choice of layers needs, into the feed.
void set_layers(const OverridableModel& model, const std::vector<Site>& sites,
                const std::vector<bool>& quantized, ValueMap& feed);

class LayerSets : public SetRuns {
 public:
  // `ranges` by tensor, for the inputs of layers that are rounded; the samples run once in floating
  // point. All arguments but the model outlive it. Throws Error, RunnerFailure.
  LayerSets(OverridableModel model, const std::vector<Site>& sites,
            const std::map<std::string, ActivationRange>& ranges,
            const std::vector<ValueMap>& samples, const RunnerSpec& engine, RunnerFactory& factory,
            const CancelToken& cancel, Logger& log);

  // The outputs of each sample in floating point.
  const std::vector<ArrayMap>& reference() const { return reference_; }
  // The outputs of a sample with these layers quantised.
  ArrayMap run(const std::vector<bool>& quantized, size_t sample) override;
  size_t samples() const override { return samples_.size(); }
  int64_t runs() const { return runs_; }

 private:
  ArrayMap run_all(const std::vector<bool>& quantized, size_t sample);
  // Results of segments are outputs, too.
  ArrayMap without_segments(const ArrayMap& outputs) const;
  void keep_segments(const ArrayMap& outputs);

  OverridableModel model_;
  SkippableModel segments_;
  std::set<std::string> results_;  // of segments: names of outputs
  std::vector<ValueMap> known_;    // results of segments for each sample, by the inputs for them
  const std::vector<Site>& sites_;
  const std::vector<ValueMap>& samples_;
  const CancelToken& cancel_;
  std::shared_ptr<Runner> runner_;
  std::optional<ActiveRunner> active_;
  std::vector<ArrayMap> reference_;
  int64_t runs_ = 0;
};

}  // namespace polygraphy
