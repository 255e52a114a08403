// Options that all `debug` commands have.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "polygraphy/diagnosis/debug_loop/artifacts.h"

namespace polygraphy {

// Parallel checks cannot share one iteration-info file.
inline constexpr ErrorCode kOneIterationInfo{"one-iteration-info"};
inline constexpr ErrorCode kArtifactOfEveryCheck{"artifact-of-every-check"};

struct LoopOptions {
  std::string artifact = {};  // the file that each round writes; empty: no file
  // Further files that each round writes, beside the artifact; rounds that run side by side write
  // them in other places.
  std::vector<std::string> further = {};
  // true: candidates are written to other files, and this one rarely exists
  bool artifact_elsewhere = false;
  bool keep_artifact = false;  // --no-remove-intermediate
  std::string iter_info = {};  // a file with the number of the current round
  ArtifactOptions artifacts = {};
  std::string load_replay = {}, save_replay = {};
};

// The number of parallel checks for the option `jobs`; 0: one per core. Throws Error for several
// checks that would share files of the loop (kOneIterationInfo, kArtifactOfEveryCheck).
int checks_at_a_time(int jobs, const LoopOptions& loop);

}  // namespace polygraphy
