// The progress of a command on its terminal.
#pragma once

#include <optional>
#include <string_view>

#include "base/log.h"
#include "base/progress.h"
#include "base/progress_line.h"
#include "cli/session/environment.h"

namespace polygraphy::cli {

// While this lives, standard error shows the progress of the command's work in its last line, where
// it is a terminal, and unless the log is to show no errors (--silent). Messages of MessageSink
// appear above it.
class CommandProgress {
 public:
  CommandProgress(Environment& env, const Logger& log);
  ~CommandProgress();
  CommandProgress(const CommandProgress&) = delete;
  CommandProgress& operator=(const CommandProgress&) = delete;

 private:
  void draw(const std::string& text);

  Environment& env_;
  std::optional<ProgressLine> line_;
  std::optional<ProgressWatch> watch_;
};

// Writes text that is no message, such as a question or what a user's script prints, at once. The
// progress line makes room, and comes back below whole lines.
void write_above_progress(Environment& env, Stream& stream, std::string_view text);

}  // namespace polygraphy::cli
