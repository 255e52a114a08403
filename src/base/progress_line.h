// The progress of long work, with the time it has taken and will still take: the last line of a
// terminal, or lines of a log.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"

namespace polygraphy {

// In seconds.
struct ProgressTimes {
  double whole = 0;  // since the line was made
  double phase = 0;  // since the outermost phase began
};

// Until the outermost phase ends, at the speed that it has had. nullopt: not known.
std::optional<double> seconds_left(std::span<const Progress> phases, double phase_seconds);

// Thread-safe.
class ProgressLine {
 public:
  struct Terminal {
    // Replaces the line, which may be empty; the cursor stays in it. Of a log: adds a line.
    std::function<void(const std::string& text)> draw;
    double (*clock)();  // seconds, monotonic
    int columns = 80;
    bool is_log = false;  // no terminal: a line every ten seconds
    // Of a log that programs read: its lines, ten a second at most; without phases, the work has
    // ended. Null: lines for people.
    std::string (*render)(std::span<const Progress> phases, ProgressTimes times) = nullptr;
  };
  explicit ProgressLine(Terminal terminal);
  ~ProgressLine();  // leaves an empty line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // For a ProgressWatch. The clock counts from the construction on. Draws ten times a second at
  // most, and nothing in the first second of the work; in a log every ten seconds.
  void update(std::span<const Progress> phases);
  // Once a second, for the clock: the work may be in a call that reports nothing.
  void tick();
  // Around a message on the same terminal: in between, tick() draws nothing.
  void hide();
  void show_again();

 private:
  void draw_if_due(double between);

  const Terminal terminal_;
  std::mutex mutex_;
  std::vector<Progress> phases_;  // the last known ones; empty: no work is under way
  std::string text_;              // the line; empty: nothing is shown
  bool hidden_ = false;
  const double started_;
  double began_ = 0;        // the work that is under way
  double phase_began_ = 0;  // its outermost phase
  double last_;             // when the line was drawn
};

// As tqdm shows it: "iteration:   1%|▏         | 12/1000 [0:02<3:18]", or "iteration: 12 [0:02,
// 8.0/s]"; behind it the inner phases.
std::string progress_text(std::span<const Progress> phases, ProgressTimes times);

}  // namespace polygraphy
