// Whether the outputs of a model with quantised layers are accepted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/diagnosis/sensitivity/output_effects.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

// A check with what it needs to judge models. All of it outlives the judgements.
struct SetCheck {
  const SensitivityCheck& check;
  const ReferenceOutputs& reference;
  const std::vector<ValueMap>& samples;
};

// Throws Error: options of the check make no sense for the outputs of this graph.
void require_sense(const SensitivityCheck& check, const graphsurgeon::Graph& graph);

// The judged model, in verdicts: in floating point with weights replaced at run time, or written.
inline constexpr const char* kReplacedWeights = "replaced weights";
inline constexpr const char* kMixedModel = "mixed model";

// One model, sample after sample.
class SetJudgement {
 public:
  explicit SetJudgement(const SetCheck& check, std::string model = kReplacedWeights);
  // Throws Error: outputs, labels or functions do not suit each other.
  void add(const ArrayMap& outputs);
  // No further sample makes it accepted.
  bool failed() const;
  // On the samples so far, as `run` has it.
  Verdict verdict() const;

 private:
  const SetCheck check_;
  const std::string model_;
  EffectSums errors_;
  std::optional<OutputJudge> judge_;  // nullopt: the relative error decides
  size_t next_ = 0;
};

struct JudgedModel {
  OutputEffect effect;
  Verdict verdict;
};
// Runs a mixed model, which is active, on all samples. Throws RunnerFailure, Interrupted, and as
// SetJudgement::add().
JudgedModel judge_model(Runner& runner, const SetCheck& check, const CancelToken& cancel);

}  // namespace polygraphy
