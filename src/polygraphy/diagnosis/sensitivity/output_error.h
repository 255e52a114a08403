// The relative error of outputs over all samples.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"
#include "polygraphy/diagnosis/sensitivity/sensitivity.h"
#include "polygraphy/diagnosis/sensitivity/token_effect.h"

namespace polygraphy {

// Sums of squares: of the reference, and of the differences from it.
struct ErrorSums {
  double signal = 0, noise = 0;

  // The norm of the differences in parts of the norm of the reference.
  double relative() const;
  double decibels() const;  // signal to noise; infinite without noise
};

// Equal infinities and two NaNs do not differ; otherwise they differ infinitely, as do shapes.
// O(elements).
void add_error(const Array& reference, const Array& observed, ErrorSums& sums);

// The outputs of a model in floating point, against which others are judged.
class ReferenceOutputs {
 public:
  // Of the next sample.
  void add(ArrayMap outputs);
  bool empty() const { return names_.empty(); }  // no output in floating point

  // Effects on outputs, sample after sample.
  class Judgement {
   public:
    // With `of_tokens` as far as there are logits.
    Judgement(const ReferenceOutputs& reference, bool of_tokens)
        : reference_(reference), sums_(reference.names_.size()) {
      if (of_tokens) tokens_.emplace(reference.logits_);
    }
    void add(const ArrayMap& outputs);
    // So far; errors are in parts of an output's norm over all samples.
    OutputEffect effect() const;

   private:
    const ReferenceOutputs& reference_;
    std::vector<ErrorSums> sums_;
    std::optional<TokenSums> tokens_;
    size_t next_ = 0;
  };

 private:
  std::vector<std::string> names_;  // of outputs in floating point
  LogitAxes logits_;
  std::vector<ArrayMap> samples_;
  std::vector<double> signals_;
};

}  // namespace polygraphy
