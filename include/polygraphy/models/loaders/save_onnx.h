// Saving an ONNX model, with messages.
#pragma once

#include <string>

#include "base/log.h"
#include "graphsurgeon/io/save.h"
#include "graphsurgeon/ir/graph.h"

namespace polygraphy {

// Where a model is saved, and how.
struct OnnxSaving {
  // The destination as the user wrote it, for messages; empty: as `path`.
  std::string typed = {};
  std::string path = {};  // empty: none
  graphsurgeon::SaveOptions options = {};
  // Given, but of no use without external data: warned of.
  bool unused_threshold = false, unused_split = false;

  // The destination as messages name it.
  const std::string& shown() const { return typed.empty() ? path : typed; }
};

// Writes the model (INFO `Saving ONNX model to: …`), creating the folder. Models that one file
// cannot hold get external data, with a warning. Throws Error.
void save_onnx(const graphsurgeon::Model& model, const OnnxSaving& saving, Logger& log);

}  // namespace polygraphy
