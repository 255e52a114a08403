#include "base/progress_line.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
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

std::string amount_text(const Progress& phase, int64_t n) {
  return phase.bytes ? size_text(n) : std::to_string(n);
}

// "noise run 3/16"
std::string count_text(const Progress& phase) {
  if (phase.done == 0 && !is_counted(phase)) return phase.phase;
  const std::string text = phase.phase + " " + amount_text(phase, phase.done);
  return is_counted(phase) ? text + "/" + amount_text(phase, *phase.total) : text;
}

// Ten characters, filled by eighths.
std::string bar_text(double share) {
  constexpr std::string_view kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  constexpr size_t kColumns = 10;
  const auto eighths = static_cast<size_t>(share * kColumns * 8);
  std::string text;
  for (size_t i = 0; i < eighths / 8; ++i) text += "█";
  text += kEighths[eighths % 8];
  return text + std::string(kColumns - (eighths + 7) / 8, ' ');
}

// Cut between characters of UTF-8.
std::string fitted(std::string text, int columns) {
  int shown = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool begins = (text[i] & 0xC0) != 0x80;
    if (begins && ++shown >= columns) return text.substr(0, i);
  }
  return text;
}

}  // namespace

std::optional<double> seconds_left(std::span<const Progress> phases, double phase_seconds) {
  if (phases.empty() || phases.front().done == 0 || !is_counted(phases.front())) return {};
  const auto done = static_cast<double>(phases.front().done);
  return phase_seconds / done * (static_cast<double>(*phases.front().total) - done);
}

std::string progress_text(std::span<const Progress> phases, ProgressTimes times) {
  const Progress& whole = phases.front();
  const auto done = static_cast<double>(whole.done);
  std::string text = whole.phase, rest;
  if (is_counted(whole)) {
    const double share = done / static_cast<double>(*whole.total);
    const auto left = seconds_left(phases, times.phase);
    text += fmt::format(": {:3}%|{}| {}/{}", static_cast<int>(share * 100), bar_text(share),
                        amount_text(whole, whole.done), amount_text(whole, *whole.total));
    rest = left ? "<" + time_text(static_cast<int64_t>(std::ceil(*left))) : "<?";
  } else if (whole.done > 0) {
    text += ": " + amount_text(whole, whole.done);
    if (!whole.bytes && times.phase > 0) rest = fmt::format(", {:.1f}/s", done / times.phase);
  }
  text += fmt::format(" [{}{}]", time_text(static_cast<int64_t>(times.whole)), rest);
  for (const Progress& phase : phases.subspan(1)) text += " | " + count_text(phase);
  return text;
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
  text_ = (terminal_.render ? terminal_.render : progress_text)(phases_, times);
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
