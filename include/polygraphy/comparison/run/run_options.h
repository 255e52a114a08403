// How runners are run.
#pragma once

#include <cstdint>
#include <string>

#include "base/cancel.h"

namespace polygraphy {

struct RunOptions {
  bool sequential = false;  // one runner after the other, each over all iterations
  int64_t warm_up = 0;      // inferences of each runner before its first iteration
  std::string save_inputs = {}, save_outputs = {};
  std::string save_input_blobs = {};  // a folder of raw bytes
  bool fail_fast = false;
  // Asked between iterations: ends the run with Interrupted. Result files stay as they were before
  // the run; of directories, the files of finished iterations stay.
  CancelToken cancel = {};
  Progress progress = {};  // told of every iteration; may be empty
};

}  // namespace polygraphy
