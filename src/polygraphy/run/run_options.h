// How runners are run.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace polygraphy {

struct RunOptions {
  bool sequential = false;  // --sequential-runners
  int64_t warm_up = 0;      // --warm-up, either mode
  std::string save_inputs, save_outputs;
  std::string save_input_blobs;  // a folder of raw bytes, --save-input-blob
  bool fail_fast = false;
  // Asked between iterations: true ends the run with Interrupted. Result files stay as they were
  // then; of directories, the files of finished iterations stay. May be empty.
  std::function<bool()> cancelled;
  // Told of every iteration that has been run, and of about how many there will be. May be empty.
  std::function<void(int64_t done, std::optional<int64_t> total)> progress;
};

}  // namespace polygraphy
