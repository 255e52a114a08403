// `surgeon extract`: cuts out the part of a model file between given tensors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/model_tools/surgeon/fallback_shapes.h"
#include "polygraphy/model_tools/surgeon/surgery.h"

namespace polygraphy {

// The type of an input or output, or the shape of an input, is unknown and could not be observed.
inline constexpr ErrorCode kTypesUnknown{"types-unknown"};

struct ExtractOptions {
  SurgeryFiles files;
  // The new inputs and outputs: names of tensors, with their new types and shapes. The model, shape
  // inference, or else a run supplies open ones. nullopt: the model's inputs or outputs.
  std::optional<Metadata> inputs = std::nullopt;
  std::optional<Metadata> outputs = std::nullopt;
  // A run supplies open types and shapes, even if the model declares them.
  bool force_observation = false;
  ObservedRun run = {};
};

struct Extracted {
  graphsurgeon::Model model;  // the saved model
  // Names of tensors that nodes use but that have no producer. The model is valid only if this is
  // empty.
  std::vector<std::string> undefined;
};

// Runs graphsurgeon's extract() by names. Logs whether it infers or runs the model, and for each
// undefined tensor the nodes that use it (ERROR). Throws Error (kTypesUnknown …).
Extracted extract(const ExtractOptions& options, Logger& log);

}  // namespace polygraphy
