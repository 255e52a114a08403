#include "base/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/size_text.h"

namespace polygraphy {
namespace {

std::string time_text(double seconds) {
  const auto whole = static_cast<int64_t>(std::ceil(seconds));
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

std::string progress_text(std::span<const Progress> phases, double seconds) {
  std::string text;
  for (const Progress& phase : phases) text += (text.empty() ? "" : " | ") + count_text(phase);
  const Progress& whole = phases.front();
  if (whole.done == 0) return text;
  const double each = seconds / static_cast<double>(whole.done);
  if (!is_counted(whole)) {
    if (whole.bytes || each <= 0) return text;
    return text + fmt::format(" | {:.1f} per second", 1 / each);
  }
  const double share = static_cast<double>(whole.done) / static_cast<double>(*whole.total);
  return text + fmt::format(" | {} % | {} left", static_cast<int>(share * 100),
                            time_text(each * static_cast<double>(*whole.total - whole.done)));
}

ProgressLine::ProgressLine(Terminal terminal) : terminal_(std::move(terminal)) {}

ProgressLine::~ProgressLine() {
  hide();
}

void ProgressLine::update(std::span<const Progress> phases) {
  constexpr double kQuiet = 1, kBetween = 0.1;
  if (phases.empty()) {
    hide();
    text_.clear();
    phase_.clear();
    works_ = false;
    return;
  }
  const double now = terminal_.clock();
  if (!std::exchange(works_, true)) began_ = last_ = now;
  if (phases.front().phase != phase_) {
    phase_ = phases.front().phase;
    phase_began_ = now;
  }
  if (now - began_ < kQuiet || now - last_ < kBetween) return;
  last_ = now;
  text_ = fitted(progress_text(phases, now - phase_began_), terminal_.columns);
  show_again();
}

void ProgressLine::hide() {
  if (!text_.empty()) terminal_.draw({});
}

void ProgressLine::show_again() {
  if (!text_.empty()) terminal_.draw(text_);
}

}  // namespace polygraphy
