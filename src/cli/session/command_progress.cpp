#include "cli/session/command_progress.h"

#include <string>

#include "base/log_modules.h"

namespace polygraphy::cli {

CommandProgress::CommandProgress(Environment& env, const Logger& log) : env_(env) {
  const bool shown = env.err.terminal() && env.variable("TERM") != "dumb" &&
                     log.enabled(Severity::kError, log_modules::kMain);
  if (!shown) return;
  line_.emplace(ProgressLine::Terminal{.draw = [this](const std::string& text) { draw(text); },
                                       .clock = env.clock,
                                       .columns = env.columns});
  watch_.emplace([this](std::span<const Progress> phases) { line_->update(phases); });
  env_.progress = &*line_;
}

CommandProgress::~CommandProgress() {
  env_.progress = nullptr;
}

void CommandProgress::draw(const std::string& text) {
  env_.out.flush();
  env_.err.control("\r\x1b[K");
  env_.err.write(text);
  env_.err.flush();
}

void write_above_progress(Environment& env, Stream& stream, std::string_view text) {
  if (env.progress) env.progress->hide();
  if (&stream == &env.err) env.out.flush();
  stream.write(text);
  stream.flush();
  if (env.progress && text.ends_with('\n')) env.progress->show_again();
}

}  // namespace polygraphy::cli
