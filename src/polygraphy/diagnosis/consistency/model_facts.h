// Properties of a model's graph that explain different results.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "graphsurgeon/ir/graph.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/decoder/decoder_form.h"

namespace polygraphy {

struct ModelFacts {
  Metadata inputs = {}, outputs = {};       // of the graph; empty: not an ONNX model
  bool has_functions = false;               // local ones
  std::optional<DecoderForm> decoder = {};  // of a language model with a cache
  std::string no_decoder = {};              // the reason for none
  bool dynamic_steps = false;  // it quantises activations by steps that depend on the input
  // "'dropout_1' (Dropout in training)": nodes whose results are random.
  std::vector<std::string> random = {};
  // "'softmax' (Softmax over axis 0)": nodes that compute across the first dimension of a tensor,
  // or recurrent ones along the batch.
  std::vector<std::string> across_rows = {};
  // First dimensions of constants, each with the name of the first one that has it.
  std::map<int64_t, std::string> constants = {};
};

// For all graphs of the model. Axes that are inputs count if they are constants. Infers the shapes
// of models with recurrent nodes. `decoder_names`: a file of load_decoder_names(); empty: none.
// Throws Error for such a file. O(nodes).
ModelFacts facts_of(graphsurgeon::Model& model, const std::string& decoder_names, Logger& log);

}  // namespace polygraphy
