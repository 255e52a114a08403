#include "polygraphy/model_tools/surgeon/prune.h"

#include <utility>

#include "graphsurgeon/passes/prune.h"

namespace polygraphy {

graphsurgeon::Model prune(const PruneOptions& options, Logger& log) {
  const auto model = load_original(options.files.model, log);
  graphsurgeon::prune(*model, log);
  save_result(*model, options.files, log);
  return std::move(*model);
}

}  // namespace polygraphy
