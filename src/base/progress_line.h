// One line on a terminal with the progress of long work and the time it will still take.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "base/progress.h"

namespace polygraphy {

class ProgressLine {
 public:
  struct Terminal {
    // Replaces the line, which may be empty; the cursor stays in it.
    std::function<void(const std::string& text)> draw;
    double (*clock)();  // seconds, monotonic
    int columns = 80;
  };
  explicit ProgressLine(Terminal terminal);
  ~ProgressLine();  // leaves an empty line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // For a ProgressWatch. Draws ten times a second at most, and nothing in the first second of the
  // work.
  void update(std::span<const Progress> phases);
  // Around a message on the same terminal.
  void hide();
  void show_again();

 private:
  const Terminal terminal_;
  std::string text_;    // the line; empty: nothing is shown
  std::string phase_;   // the outermost one
  bool works_ = false;  // a phase is under way
  double began_ = 0, phase_began_ = 0, last_ = 0;
};

// "iteration 12 of 1000 | 1 % | 3:20 left", or "iteration 12 | 8.0 per second"; `seconds`: since
// the outermost phase began.
std::string progress_text(std::span<const Progress> phases, double seconds);

}  // namespace polygraphy
