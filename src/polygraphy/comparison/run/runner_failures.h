// The runners of a run that have failed: each is reported and left out, the others go on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "polygraphy/comparison/run/run_options.h"
#include "polygraphy/runtimes/backend/runner.h"

namespace polygraphy {

class RunnerFailures {
 public:
  RunnerFailures(size_t runners, const RunOptions& options, Logger& log)
      : failed_(runners), options_(options), log_(log) {}

  bool has_failed(size_t index) const { return failed_[index]; }
  // The first runner that has not failed; there always is one.
  size_t first_working() const;
  // Called in the handler of `failure`. Logs one error line: the runner, `when` ("iteration 3"),
  // what happened. Throws the failure again if no runner is left or the failure ends the run.
  void record(size_t index, const std::string& runner, std::string_view when,
              const RunnerFailure& failure);

 private:
  std::vector<bool> failed_;
  const RunOptions& options_;
  Logger& log_;
};

}  // namespace polygraphy
