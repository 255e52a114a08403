// The progress of a job on the terminal of a Python program, or below the cell of a notebook.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "base/progress.h"
#include "base/progress_line.h"
#include "python_api.h"

namespace native {

// The last line of standard error, where that is a terminal and sys.stderr writes to it; in a
// notebook a bar (polygraphy_native/_notebook.py).
class JobProgress {
 public:
  // Both with the interpreter's lock.
  JobProgress();
  ~JobProgress();
  JobProgress(const JobProgress&) = delete;
  JobProgress& operator=(const JobProgress&) = delete;

  // For the thread that works: while the result lives, its progress is shown. Null: it is not.
  std::unique_ptr<polygraphy::ProgressWatch> watch();
  bool is_shown() const { return line_.has_value(); }
  // The same as to a watch.
  void report(std::span<const polygraphy::Progress> phases);
  // For the thread of the Python call, with the interpreter's lock: moves the clock, and writes to
  // the notebook.
  void tick();
  // Around messages of another caller, which may throw.
  void hide();
  void show_again();
  // Runs `print`, which may print, without the line.
  void above(const std::function<void()>& print);

 private:
  void move_bar();

  std::mutex mutex_;
  std::mutex pending_mutex_;  // of the next member, which the drawing thread sets
  std::optional<std::string> pending_;
  PyRef bar_;  // of a notebook
  std::optional<polygraphy::ProgressLine> line_;
};

}  // namespace native
