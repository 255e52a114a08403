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
  std::string phase;                  // "comparing group"
  int64_t done = 0;                   // steps, or bytes
  std::optional<int64_t> total = {};  // an estimate, if there is one
  bool bytes = false;                 // of a file that is being written
};

// While this lives, `receive` gets the progress of the work on this thread: the phases that are
// under way, the outermost first. Without phases, the work has ended. The latest watch counts. An
// exception of `receive` changes nothing: the work goes on.
class ProgressWatch {
 public:
  using Receive = std::function<void(std::span<const Progress> phases)>;
  explicit ProgressWatch(Receive receive);
  ~ProgressWatch();
  ProgressWatch(const ProgressWatch&) = delete;
  ProgressWatch& operator=(const ProgressWatch&) = delete;

 private:
  Receive receive_;
  const Receive* previous_;
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
// Those that are under way.
void report_progress();

}  // namespace polygraphy
