// Properties of a model's graph that explain different results.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"

namespace polygraphy {

struct ModelFacts {
  Metadata inputs = {};  // of the graph; none: it is no ONNX model
  // "'dropout_1' (Dropout in training)": nodes whose results are random.
  std::vector<std::string> random = {};
  // "'softmax' (Softmax over axis 0)": nodes that compute across the first dimension of a tensor.
  std::vector<std::string> across_rows = {};
  // First dimensions of constants, each with the name of the first one that has it.
  std::map<int64_t, std::string> constants = {};
};

// Of all graphs of the model. Of axes that are inputs, those that are constants. O(nodes).
ModelFacts facts_of(const graphsurgeon::Model& model);

}  // namespace polygraphy
