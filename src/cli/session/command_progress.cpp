#include "cli/session/command_progress.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <system_error>

#include "base/os/temporaries.h"
#include "formats/progress_json.h"

namespace polygraphy::cli {

CommandProgress::CommandProgress(Environment& env, ProgressForm form) : env_(env) {
  const bool is_json = form == ProgressForm::kJson;
  const bool is_terminal = env.err.terminal() && !is_json;
  const bool is_shown = is_terminal ? form != ProgressForm::kNone && env.variable("TERM") != "dumb"
                                    : form == ProgressForm::kLog && env.process_ends;
  if (!is_shown && !is_json) return;
  line_.emplace(ProgressLine::Terminal{.draw =
                                           [&err = env.err, is_terminal](const std::string& text) {
                                             if (is_terminal) err.control("\r\x1b[K");
                                             err.write(is_terminal ? text : text + "\n");
                                             err.flush();
                                           },
                                       .clock = env.clock,
                                       .columns = env.columns,
                                       .is_log = !is_terminal,
                                       .render = is_json ? progress_json : nullptr});
  watch_.emplace([this](std::span<const Progress> phases) { line_->update(phases); });
  if (env.process_ends) {
    const HeldSignals other_threads_get_them;
    try {
      clock_ = std::jthread([this](const std::stop_token& stop) { tick(stop); });
    } catch (const std::system_error&) {
      // The line stands still while a call lasts.
    }
  }
  env_.progress = &*line_;  // after all that may throw: the line would be gone
}

CommandProgress::~CommandProgress() {
  env_.progress = nullptr;
}

void CommandProgress::tick(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    wake.wait_for(lock, stop, std::chrono::seconds(1), [&] { return stop.stop_requested(); });
    if (stop.stop_requested()) return;
    try {
      line_->tick();
    } catch (const std::exception&) {  // A terminal that is gone is not a reason to end the work.
    }
  }
}

void write_above_progress(Environment& env, Stream& stream, std::string_view text) {
  if (env.progress) env.progress->hide();
  if (&stream == &env.err) env.out.flush();
  stream.write(text);
  stream.flush();
  if (env.progress && text.ends_with('\n')) env.progress->show_again();
}

}  // namespace polygraphy::cli
