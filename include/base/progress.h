// How far long work is, for those who watch it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace polygraphy {

// One phase of long work, and its finished steps.
struct Progress {
  std::string phase;                  // "comparing group"; of a runner "its name | running"
  int64_t done = 0;                   // steps, or bytes
  std::optional<int64_t> total = {};  // an estimate, if there is one
  bool bytes = false;                 // of a file that is being written
};

// Reports the phases that are under way to the watches.
void report_progress();

// While this lives, `receive` gets the progress of the work on this thread: the phases that are
// under way, the outermost first. Without phases, the work has ended. All watches of a thread
// receive, the latest first. An exception of `receive` changes nothing: the work goes on.
class ProgressWatch {
 public:
  using Receive = std::function<void(std::span<const Progress> phases)>;
  explicit ProgressWatch(Receive receive);
  ~ProgressWatch();
  ProgressWatch(const ProgressWatch&) = delete;
  ProgressWatch& operator=(const ProgressWatch&) = delete;

 private:
  friend void report_progress();

  Receive receive_;
  const ProgressWatch* previous_;
};

// A phase that is under way, on this thread, as long as this lives; phases end in the reverse order
// of their beginnings. Costs little where there is no watch.
class ProgressPhase {
 public:
  explicit ProgressPhase(std::string phase, std::optional<int64_t> total = {});
  ~ProgressPhase();
  ProgressPhase(const ProgressPhase&) = delete;
  ProgressPhase& operator=(const ProgressPhase&) = delete;

  void at(int64_t done, std::optional<int64_t> total);
  void at(int64_t done);
  void step();  // one more

 private:
  size_t depth_;
};

// A phase without a scope, inside those that are under way, until the next report.
void report_progress(Progress innermost);

}  // namespace polygraphy
