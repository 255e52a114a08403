// Options that all `debug` commands have.
#pragma once

#include <string>

#include "polygraphy/diagnosis/debug_loop/artifacts.h"

namespace polygraphy {

struct LoopOptions {
  std::string artifact = {};  // the file that each round writes; empty: no file
  // true: candidates are written to other files, and this one rarely exists
  bool artifact_elsewhere = false;
  bool keep_artifact = false;  // --no-remove-intermediate
  std::string iter_info = {};  // a file with the number of the current round
  ArtifactOptions artifacts = {};
  std::string load_replay = {}, save_replay = {};
};

}  // namespace polygraphy
