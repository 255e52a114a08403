#include "cli/session/progress_line.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/size_text.h"

namespace polygraphy::cli {
namespace {

std::string time_text(double seconds) {
  const auto whole = static_cast<int64_t>(std::ceil(seconds));
  char text[48];
  if (whole >= 3600) {
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", static_cast<long long>(whole / 3600),
                  static_cast<long long>(whole / 60 % 60), static_cast<long long>(whole % 60));
  } else {
    std::snprintf(text, sizeof text, "%lld:%02lld", static_cast<long long>(whole / 60),
                  static_cast<long long>(whole % 60));
  }
  return text;
}

}  // namespace

std::string progress_text(int64_t done, std::optional<int64_t> total, double seconds) {
  std::string text = "iteration " + std::to_string(done);
  const double each = seconds / static_cast<double>(std::max<int64_t>(done, 1));
  if (!total || *total < done) {
    char rate[48];
    std::snprintf(rate, sizeof rate, " | %.1f per second", each > 0 ? 1 / each : 0.0);
    return text + rate;
  }
  const double share = *total > 0 ? static_cast<double>(done) / static_cast<double>(*total) : 1;
  return text + " of " + std::to_string(*total) + " | " +
         std::to_string(static_cast<int>(share * 100)) + " % | " +
         time_text(each * static_cast<double>(*total - done)) + " left";
}

ProgressLine::ProgressLine(Environment& env, bool wanted)
    : env_(env), active_(wanted && env.err.terminal() && env.variable("TERM") != "dumb") {
  if (!active_) return;
  if (env_.progress) env_.progress->erase();
  started_ = last_ = env_.clock();
  env_.progress = this;
}

ProgressLine::~ProgressLine() {
  if (!active_) return;
  erase();
  env_.progress = nullptr;
}

Progress ProgressLine::receiver() {
  if (!active_) return {};
  started_ = last_ = env_.clock();
  return [this](int64_t done, std::optional<int64_t> total) { update(done, total); };
}

bool ProgressLine::due() {
  constexpr double kQuiet = 1, kBetween = 0.1;
  if (!active_) return false;
  const double now = env_.clock();
  if (now - started_ < kQuiet || now - last_ < kBetween) return false;
  last_ = now;
  return true;
}

void ProgressLine::update(int64_t done, std::optional<int64_t> total) {
  if (due()) draw(progress_text(done, total, last_ - started_));
}

void ProgressLine::update_written(const std::string& path, uint64_t bytes) {
  if (bytes == 0) return erase();
  if (due()) draw("writing " + path + " | " + size_text(static_cast<int64_t>(bytes)));
}

void ProgressLine::draw(const std::string& text) {
  env_.out.flush();
  env_.err.control("\r\x1b[K");
  env_.err.write(text.substr(0, static_cast<size_t>(std::max(env_.columns - 1, 1))));
  env_.err.flush();
  drawn_ = true;
}

void ProgressLine::erase() {
  if (!drawn_) return;
  env_.err.control("\r\x1b[K");
  env_.err.flush();
  drawn_ = false;
}

}  // namespace polygraphy::cli
