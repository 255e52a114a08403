// The effects of quantised layers on the outputs of a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "polygraphy/diagnosis/sensitivity/output_error.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"
#include "polygraphy/diagnosis/sensitivity/token_effect.h"

namespace polygraphy {

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

}  // namespace polygraphy
