// `surgeon prune`: forces 2:4 structured sparsity onto the weights of a model file.
#pragma once

#include "base/log.h"
#include "polygraphy/model_tools/surgeon/surgery.h"

namespace polygraphy {

struct PruneOptions {
  SurgeryFiles files;
};

// Runs graphsurgeon's prune(). Returns the saved model. Throws Error.
graphsurgeon::Model prune(const PruneOptions& options, Logger& log);

}  // namespace polygraphy
