// How long a check may take: what was asked for, or a multiple of what the first one took.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace polygraphy {

class TimeLimit {
 public:
  explicit TimeLimit(std::optional<double> seconds) : asked_(seconds), limit_(seconds) {}

  // Of the check that begins now; none: it may take any time.
  void begin() { begin_ = now(); }
  std::optional<double> left() const {
    if (!limit_) return std::nullopt;
    return std::max(0.0, *limit_ - (now() - begin_));
  }
  // It has ended in time.
  void end() {
    if (!limit_) limit_ = std::max(kLeast, kTimesFirst * (now() - begin_));
  }
  std::optional<double> limit() const { return limit_; }
  bool learned() const { return !asked_; }

 private:
  static constexpr double kTimesFirst = 10, kLeast = 10;  // seconds

  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  std::optional<double> asked_, limit_;
  double begin_ = 0;
};

}  // namespace polygraphy
