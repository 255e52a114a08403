// Whether the outputs of a model with quantised layers are accepted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "base/cancel.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/comparison/compare/metrics/shared/token_summary.h"
#include "polygraphy/diagnosis/sensitivity/output_error.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

// The outputs that are logits, with the axis of their vocabulary.
using LogitAxes = std::vector<std::pair<std::string, int64_t>>;
// By the options of a check by tokens; another check: those with "logits" in their names.
LogitAxes logit_axes(const ArrayMap& outputs, const SensitivityCheck& check);
// Whether a check is about tokens, or about what a task makes of outputs: then their divergence
// says more than the relative error.
bool decides_by_tokens(const SensitivityCheck& check);

// The rows of all samples.
class TokenSums {
 public:
  explicit TokenSums(const LogitAxes& axes) : axes_(axes) {}
  // Of one sample. O(elements).
  void add(const ArrayMap& reference, const ArrayMap& observed);
  std::optional<TokenEffect> effect() const;

 private:
  const LogitAxes& axes_;
  TokenSummary summary_;
};

// The outputs of the model in floating point, against which others are judged.
struct ReferenceOutputs {
  // O(elements).
  ReferenceOutputs(std::vector<ArrayMap> outputs, const SensitivityCheck& check);

  std::vector<ArrayMap> samples;
  std::vector<std::string> names;  // of outputs in floating point
  std::vector<double> signals;     // squares of their norms over all samples
  LogitAxes logits;
};

// Sample after sample.
class EffectSums {
 public:
  // Without `of_tokens`, their figures are left out.
  EffectSums(const ReferenceOutputs& reference, bool of_tokens);
  void add(const ArrayMap& outputs);
  // So far; errors are relative to an output's norm over all samples.
  OutputEffect effect() const;

 private:
  const ReferenceOutputs& reference_;
  std::vector<ErrorSums> errors_;
  std::optional<TokenSums> tokens_;
  size_t next_ = 0;
};

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
