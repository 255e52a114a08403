// The check of one round of a debugging loop, and its verdict.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/cancel.h"
#include "base/log.h"

namespace polygraphy {

struct CheckResult {
  bool passed = false;
  // Identifies the kind of failure: "exited with 1: <first line that names an error>", without
  // numbers and paths. Empty: the verdict has no explanation.
  std::string signature = {};
  // The output that failed, the first one of several; empty: no particular one, or not known.
  std::string output = {};
};

class Check {
 public:
  virtual ~Check() = default;
  // Judges the current round. `artifact`: the file under test; empty if the round has no file.
  // Throws Error if the check itself cannot run, Interrupted.
  virtual CheckResult run(const std::string& artifact) = 0;
};

// Makes an independent copy of the check for another thread, without shared workers or files. Once
// `cancel` is cancelled, run() throws Interrupted within a tenth of a second; after its flag is
// reset, the next run() starts normally. `log` must outlive the check.
using MakeCheck = std::function<std::unique_ptr<Check>(Logger& log, CancelToken cancel)>;

}  // namespace polygraphy
