// The relative error of outputs over all samples.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/arrays/array_map.h"

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

struct WorstError {
  std::string output;
  double error = 0;
};

// The outputs of a model in floating point, against which others are judged.
class ReferenceOutputs {
 public:
  // Of the next sample; only floating-point tensors are kept.
  void add(const ArrayMap& outputs);
  bool empty() const { return names_.empty(); }
  size_t samples() const { return samples_.size(); }

  // Errors of outputs, sample after sample.
  class Judgement {
   public:
    explicit Judgement(const ReferenceOutputs& reference)
        : reference_(reference), sums_(reference.names_.size()) {}
    void add(const ArrayMap& outputs);
    // Of the output that is farthest off so far, in parts of its norm over all samples.
    WorstError worst() const;

   private:
    const ReferenceOutputs& reference_;
    std::vector<ErrorSums> sums_;
    size_t next_ = 0;
  };

 private:
  std::vector<std::string> names_;
  std::vector<ArrayMap> samples_;
  std::vector<double> signals_;
};

}  // namespace polygraphy
