// Saving an ONNX model, with messages.
#pragma once

#include <string>

#include "base/log.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Destination and options for saving a model.
struct OnnxSaving {
  // The destination as the user wrote it, for messages; empty: as `path`.
  std::string typed = {};
  std::string path = {};  // empty: do not save
  graphsurgeon::SaveOptions options = {};
  // True if the option was given without external data; causes a warning.
  bool unused_threshold = false, unused_split = false;

  // The destination as messages name it.
  const std::string& shown() const { return typed.empty() ? path : typed; }
};

// Writes the model (INFO `Saving ONNX model to: …`) and creates the folder. Models too large for
// one file get external data, with a warning. Throws Error.
void save_onnx(const graphsurgeon::Model& model, const OnnxSaving& saving, Logger& log);

}  // namespace polygraphy
