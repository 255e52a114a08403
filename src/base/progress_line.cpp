#include "base/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/size_text.h"

namespace polygraphy {
namespace {

std::string time_text(int64_t whole) {
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

bool is_counted(const Progress& phase) {
  return phase.total && *phase.total >= phase.done && *phase.total > 0;
}

std::string count_text(const Progress& phase) {
  const auto amount = [&](int64_t n) { return phase.bytes ? size_text(n) : std::to_string(n); };
  if (phase.done == 0 && !is_counted(phase)) return phase.phase;
  std::string text = phase.phase + (phase.bytes ? " | " : " ") + amount(phase.done);
  return is_counted(phase) ? text + " of " + amount(*phase.total) : text;
}

// Cut between characters of UTF-8.
std::string fitted(std::string text, int columns) {
  size_t size = std::min(text.size(), static_cast<size_t>(std::max(columns - 1, 1)));
  while (size > 0 && size < text.size() && (text[size] & 0xC0) == 0x80) --size;
  text.resize(size);
  return text;
}

}  // namespace

std::optional<double> seconds_left(std::span<const Progress> phases, double phase_seconds) {
  if (phases.empty() || phases.front().done == 0 || !is_counted(phases.front())) return {};
  const auto done = static_cast<double>(phases.front().done);
  return phase_seconds / done * (static_cast<double>(*phases.front().total) - done);
}

std::string progress_text(std::span<const Progress> phases, double seconds) {
  std::string text;
  for (const Progress& phase : phases) text += (text.empty() ? "" : " | ") + count_text(phase);
  const Progress& whole = phases.front();
  const auto done = static_cast<double>(whole.done);
  if (const auto left = seconds_left(phases, seconds)) {
    const double share = done / static_cast<double>(*whole.total);
    return text + fmt::format(" | {} % | {} left", static_cast<int>(share * 100),
                              time_text(static_cast<int64_t>(std::ceil(*left))));
  }
  if (whole.done == 0 || whole.bytes || seconds <= 0) return text;
  return text + fmt::format(" | {:.1f} per second", done / seconds);
}

ProgressLine::ProgressLine(Terminal terminal)
    : terminal_(std::move(terminal)), started_(terminal_.clock()), last_(started_) {}

ProgressLine::~ProgressLine() {
  hide();
}

void ProgressLine::update(std::span<const Progress> phases) {
  constexpr double kBetween = 0.1;
  const std::lock_guard lock(mutex_);
  if (phases.empty()) {
    if (!text_.empty() && terminal_.render)
      terminal_.draw(terminal_.render({}, {terminal_.clock() - started_, 0}));
    else if (!text_.empty() && !terminal_.is_log)
      terminal_.draw({});
    text_.clear();
    phases_.clear();
    return;
  }
  const double now = terminal_.clock();
  if (phases_.empty()) began_ = now;
  if (phases_.empty() || phases.front().phase != phases_.front().phase) phase_began_ = now;
  phases_.assign(phases.begin(), phases.end());
  hidden_ = false;
  draw_if_due(kBetween);
}

void ProgressLine::tick() {
  constexpr double kBetween = 1;
  const std::lock_guard lock(mutex_);
  if (!phases_.empty() && !hidden_) draw_if_due(kBetween);
}

void ProgressLine::draw_if_due(double between) {
  constexpr double kQuiet = 1, kInLog = 10;
  const double now = terminal_.clock();
  const bool is_due = terminal_.render   ? text_.empty() || now - last_ >= between
                      : terminal_.is_log ? now - last_ >= kInLog
                                         : now - began_ >= kQuiet && now - last_ >= between;
  if (!is_due) return;
  last_ = now;
  const ProgressTimes times{now - started_, now - phase_began_};
  text_ = terminal_.render ? terminal_.render(phases_, times)
                           : time_text(static_cast<int64_t>(times.whole)) + " | " +
                                 progress_text(phases_, times.phase);
  if (!terminal_.is_log) text_ = fitted(std::move(text_), terminal_.columns);
  terminal_.draw(text_);
}

void ProgressLine::hide() {
  const std::lock_guard lock(mutex_);
  hidden_ = true;
  if (!text_.empty() && !terminal_.is_log) terminal_.draw({});
}

void ProgressLine::show_again() {
  const std::lock_guard lock(mutex_);
  hidden_ = false;
  if (!text_.empty() && !terminal_.is_log) terminal_.draw(text_);
}

}  // namespace polygraphy
