// The beginning of commands that work with a model and its inputs.
#pragma once

#include <cstdint>

#include "cli/args/data_loader.h"
#include "cli/session/session.h"
#include "polygraphy/data/tensors/metadata.h"
#include "polygraphy/models/loaders/model_source.h"

namespace polygraphy::cli {

struct CommandSetup {
  ModelSource model;
  Metadata shapes;         // of its inputs
  DataLoaderArgs inputs;   // with the graph of the model, for inputs that must be valid
  bool converted = false;  // the model was made of one of TensorFlow
  bool from_pipe = false;  // the model is a copy that the command deletes
};

// The forms of models that a command takes; kOnnx converts models of TensorFlow.
enum class ModelNeed : uint8_t { kAny, kOnnx };

// Without inputs. A model from a pipe lies in a file as long as the session. Throws Error.
CommandSetup resolve_setup(Session& session, ModelNeed need = ModelNeed::kAny);
// Adds the inputs: a separate step, because commands check their own options in between. Throws
// Error.
void resolve_inputs(Session& session, CommandSetup& setup);

}  // namespace polygraphy::cli
