// `inspect tactics` and `inspect diff-tactics`: the tactics of TensorRT, and those that only bad
// engines use.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/model_tools/inspect/tactic_replay.h"

namespace polygraphy {

// Logs every layer and its algorithm. Throws as load_tactic_replay().
TacticReplay inspect_tactics(const std::string& path, Logger& log);

struct DiffTactics {
  // Files, or folders of files and folders. Files other than tactic replays are skipped.
  std::string good, bad;
  // One of both that is missing has no replays, as after a session of `debug build` without a
  // failure, which makes a folder when it sorts the first replay into it.
  bool one_may_miss = false;
};

// The algorithms of each layer that occur in bad replays and in no good one, in the order of
// reading; files in the order of their paths.
using SuspectTactics = OrderedMap<std::vector<TacticAlgorithm>>;

// Logs the number of replays, and the suspect tactics. Throws IoError for a folder that cannot be
// listed.
SuspectTactics diff_tactics(const DiffTactics& options, Logger& log);

}  // namespace polygraphy
