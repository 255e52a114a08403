// The progress of a command on its terminal, or in its log.
#pragma once

#include <optional>
#include <string_view>
#include <thread>

#include "base/progress.h"
#include "base/progress_line.h"
#include "cli/session/environment.h"

namespace polygraphy::cli {

enum class ProgressForm {
  kNone,
  kLine,  // the last line of standard error, if that is a terminal
  kLog,   // the same, or else, if the process is the command's, a line every ten seconds
  kJson,  // --progress json: events for programs (docs/ci.md)
};

// While this lives, standard error shows the progress of the command's work. Messages of
// MessageSink appear above it.
class CommandProgress {
 public:
  CommandProgress(Environment& env, ProgressForm form);
  ~CommandProgress();
  CommandProgress(const CommandProgress&) = delete;
  CommandProgress& operator=(const CommandProgress&) = delete;

 private:
  void tick(const std::stop_token& stop);

  Environment& env_;
  std::optional<ProgressLine> line_;
  std::optional<ProgressWatch> watch_;
  std::jthread clock_;  // for calls that report nothing
};

// Writes text that is not a message, such as a question or output of a user's script, at once. The
// progress line makes room, and comes back below whole lines.
void write_above_progress(Environment& env, Stream& stream, std::string_view text);

}  // namespace polygraphy::cli
