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

// The type of an input or output, or the shape of an input, is not known and could not be observed.
inline constexpr ErrorCode kTypesUnknown{"types-unknown"};

struct ExtractOptions {
  SurgeryFiles files;
  // The new inputs and outputs: names of tensors, with the types and shapes that they get. What is
  // left open is what the model says, what can be inferred, or else what a run shows. nullopt: the
  // model's own.
  std::optional<Metadata> inputs = std::nullopt;
  std::optional<Metadata> outputs = std::nullopt;
  // What is left open is what a run shows, whatever the model says.
  bool force_observation = false;
  ObservedRun run = {};
};

struct Extracted {
  graphsurgeon::Model model;  // as it is saved
  // Names of tensors that nodes use, but nothing makes: the model is not valid where there are any.
  std::vector<std::string> undefined;
};

// graphsurgeon's extract(), by names. Says what has to be inferred or run, and of each undefined
// tensor which nodes use it (ERROR). Throws Error (kTypesUnknown …).
Extracted extract(const ExtractOptions& options, Logger& log);

}  // namespace polygraphy
