// One line on a terminal with the progress of a long run and the time it will still take. Nothing
// where standard error is no terminal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/cancel.h"
#include "cli/session/environment.h"

namespace polygraphy::cli {

class ProgressLine {
 public:
  // `wanted`: false for --quiet and --silent. While this lives, messages (MessageSink) erase the
  // line before they are written.
  ProgressLine(Environment& env, bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool active() const { return active_; }
  // update() for a job that starts now; empty where nothing is shown. The line must outlive it.
  Progress receiver();
  // `done` iterations of about `total`, if that is known. Draws ten times a second at most, and
  // nothing in the first second.
  void update(int64_t done, std::optional<int64_t> total);
  // The same for a file that is being written; 0 bytes: it is in place, and the line disappears.
  void update_written(const std::string& path, uint64_t bytes);
  void erase();

 private:
  bool due();
  void draw(const std::string& text);

  Environment& env_;
  bool active_;
  bool drawn_ = false;
  double started_ = 0, last_ = 0;
};

// "iteration 12 of 1000 | 1 % | 3:20 left", or "iteration 12 | 8.0 per second".
std::string progress_text(int64_t done, std::optional<int64_t> total, double seconds);

}  // namespace polygraphy::cli
