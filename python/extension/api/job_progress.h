// The progress of a job on the terminal of a Python program.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

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
  bool is_shown() const { return line_.has_value(); }
  // The same as to a watch.
  void report(std::span<const polygraphy::Progress> phases);
  // Around messages of another caller, which may throw.
  void hide();
  void show_again();
  // Runs `print`, which may print, without the line.
  void above(const std::function<void()>& print);

 private:
  std::mutex mutex_;
  std::optional<polygraphy::ProgressLine> line_;
};

}  // namespace native
