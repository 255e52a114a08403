// Options that all `debug` commands have.
#pragma once

#include <string>

#include "polygraphy/diagnosis/debug_loop/artifacts.h"

namespace polygraphy {

struct LoopOptions {
  std::string artifact = {};  // the file that each round makes; empty: none
  bool artifact_elsewhere =
      false;                   // candidates are written to other files; this one is seldom there
  bool keep_artifact = false;  // --no-remove-intermediate
  std::string iter_info = {};  // a file that says which round it is, while it lasts
  ArtifactOptions artifacts = {};
  std::string load_replay = {}, save_replay = {};
};

}  // namespace polygraphy
