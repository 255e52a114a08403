// What decides whether one round of a debugging loop passed.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/cancel.h"
#include "base/log.h"

namespace polygraphy {

struct Verdict {
  bool passed = false;
  // How it failed, for telling one failure from another: "exited with 1: <first line that names an
  // error>", numbers and paths left out. Empty for a verdict that nobody explained.
  std::string signature = {};
  // The output that failed, the first one of several; empty: no particular one, or nobody knows.
  std::string output = {};
};

class Check {
 public:
  virtual ~Check() = default;
  // Judges what is in place now. `artifact`: the file under test; empty when the round has none.
  // Throws Error when the check itself cannot be made, Interrupted.
  virtual Verdict run(const std::string& artifact) = 0;
};

// One more of the same check, for a thread of its own: it shares no workers and no files with the
// others. Once `cancel` is cancelled, run() throws Interrupted within a tenth of a second; when its
// flag is reset, the next run() starts afresh. `log` must outlive the check.
using MakeCheck = std::function<std::unique_ptr<Check>(Logger& log, CancelToken cancel)>;

}  // namespace polygraphy
