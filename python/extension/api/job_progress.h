// The progress of a job on the terminal of a Python program.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "base/progress.h"
#include "base/progress_line.h"

namespace native {

// The last line of standard error, where that is a terminal and sys.stderr writes to it.
class JobProgress {
 public:
  JobProgress();  // with the interpreter's lock
  JobProgress(const JobProgress&) = delete;
  JobProgress& operator=(const JobProgress&) = delete;

  // For the thread that works: while the result lives, its progress is shown. Null: there is no
  // terminal.
  std::unique_ptr<polygraphy::ProgressWatch> watch();
  // Runs `print`, which may print, without the line.
  void above(const std::function<void()>& print);

 private:
  std::mutex mutex_;
  std::optional<polygraphy::ProgressLine> line_;
};

}  // namespace native
