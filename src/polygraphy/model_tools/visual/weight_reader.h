// The values of constants as the viewer shows them.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/arrays/array.h"
#include "graphsurgeon/ir/tensor.h"
#include "polygraphy/model_tools/visual/visual_model.h"

namespace polygraphy {

// Of texts and complex numbers, the first values only. Two passes.
WeightFigures weight_figures(const Array& values);

// Reads values until it has read `most` elements. Values that several tensors share count once.
class WeightReader {
 public:
  explicit WeightReader(int64_t most) : left_(most), reads_(most > 0) {}

  // Adds the values of a constant, or the reason why they are not read.
  void describe(const graphsurgeon::Tensor& constant, VisualTensor& shown);

 private:
  int64_t left_;
  bool reads_;
  std::unordered_map<const graphsurgeon::Payload*, WeightFigures> known_;
};

}  // namespace polygraphy
