// Sorts the files that each round of a debugging loop leaves behind into good and bad.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"

namespace polygraphy {

struct ArtifactOptions {
  std::vector<std::string> paths = {};  // files or folders, as typed
  std::string folder = "polygraphy_artifacts";
  std::string stamp = {};  // the date and time in the names: "11-21-26_15-48-51"
};

// Moves each artifact to <folder>/good or /bad as <base>_<stamp>_N<iteration><suffix><extension>.
// Logs an ERROR if one is missing or its new name is taken, and leaves it. Throws IoError if a move
// fails.
void sort_artifacts(const ArtifactOptions& options, int64_t iteration, const std::string& suffix,
                    bool passed, Logger& log);

}  // namespace polygraphy
