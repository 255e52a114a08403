// Differences of a model's outputs from their reference, as numbers that predictions add up.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/arrays/array_map.h"
#include "polygraphy/diagnosis/sensitivity/set_judgement.h"

namespace polygraphy {

// Sample after sample; each output in parts of its norm over all samples.
using Differences = std::vector<float>;

class OutputDifferences {
 public:
  // Of the outputs that the check is about: about 2,048 values, evenly spaced.
  explicit OutputDifferences(const SetCheck& check);
  void add(const ArrayMap& outputs);
  // Of the samples so far.
  Differences take() { return std::move(values_); }

 private:
  struct Output {
    std::string name;
    float scale = 1;
  };

  const ReferenceOutputs& reference_;
  std::vector<Output> outputs_;
  int64_t step_ = 1;
  size_t next_ = 0;
  Differences values_;
};

}  // namespace polygraphy
