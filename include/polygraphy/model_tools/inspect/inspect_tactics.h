// `inspect tactics` and `inspect diff-tactics`: what TensorRT chose, and which choices only bad
// engines have in common.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/model_tools/inspect/tactic_replay.h"

namespace polygraphy {

// Logs every layer and its algorithm. Throws as load_tactic_replay().
TacticReplay inspect_tactics(const std::string& path, Logger& log);

struct DiffTactics {
  // Files, or folders of files and folders. Those that are no tactic replays are passed over.
  std::string good, bad;
};

// The algorithms of each layer that bad replays have and good ones do not, in the order in which
// they were read; files in the order of their paths.
using SuspectTactics = OrderedMap<std::vector<TacticAlgorithm>>;

// Logs how many replays there are, and what is suspect. Throws IoError for a folder that cannot be
// listed.
SuspectTactics diff_tactics(const DiffTactics& options, Logger& log);

}  // namespace polygraphy
