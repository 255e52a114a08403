// Options of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/cancel.h"
#include "base/error.h"

namespace polygraphy {

struct RunOptions {
  bool sequential = false;  // one runner after the other, each over all iterations
  int64_t warm_up = 0;      // inferences of each runner before its first iteration
  std::string save_inputs = {}, save_outputs = {};
  std::string save_input_blobs = {};  // a folder of raw bytes
  bool fail_fast = false;
  // The failures of a runner that end the run, as all do with fail_fast. Empty: none.
  std::function<bool(const Error&)> ends_run = {};
  // Checked between iterations: ends the run with Interrupted. Result files keep their contents
  // from before the run; directories keep the files of finished iterations.
  CancelToken cancel = {};
};

}  // namespace polygraphy
