// Which runners still run: one that fails is reported and left out, the others go on.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "polygraphy/backend/runner.h"

namespace polygraphy {

class RunnersLeft {
 public:
  // `fail_fast`: a failure ends the run.
  RunnersLeft(size_t count, bool fail_fast, Logger& log)
      : failed_(count), fail_fast_(fail_fast), log_(log) {}

  bool has(size_t index) const { return !failed_[index]; }
  // The first one that still runs.
  size_t first() const;
  // To be called while `failure` is handled. One error line: the runner, `when` ("iteration 3"),
  // what happened. Passes the failure on when no runner would be left.
  void drop(size_t index, const std::string& runner, std::string_view when,
            const RunnerFailure& failure);

 private:
  std::vector<bool> failed_;
  bool fail_fast_;
  Logger& log_;
};

}  // namespace polygraphy
