// How long a check may take: what was asked for, or a multiple of what the first one took.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "polygraphy/debug/learned_limit.h"

namespace polygraphy {

class TimeLimit {
 public:
  // `learned`: what checks of the same kind in other threads learn, too; null: this one's alone.
  TimeLimit(std::optional<double> seconds, std::shared_ptr<LearnedLimit> learned)
      : asked_(seconds),
        learned_(learned ? std::move(learned) : std::make_shared<LearnedLimit>()) {}

  // Of the check that begins now.
  void begin() { begin_ = now(); }
  double left() const { return std::max(0.0, limit() - (now() - begin_)); }
  // It has ended in time.
  void end() {
    double none = 0;
    learned_->seconds.compare_exchange_strong(none,
                                              std::max(kLeast, kTimesFirst * (now() - begin_)));
  }

  double limit() const {
    if (asked_) return *asked_;
    const double learned = learned_->seconds;
    return learned > 0 ? learned : kFirst;
  }
  // For messages, behind the limit.
  std::string_view reason() const {
    if (asked_) return ".";
    return learned_->seconds > 0
               ? ", ten times the first one. --check-timeout sets another limit."
               : ", the most for the first one. --check-timeout sets another limit.";
  }

 private:
  static constexpr double kFirst = 600, kTimesFirst = 10, kLeast = 10;  // seconds

  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  std::optional<double> asked_;
  std::shared_ptr<LearnedLimit> learned_;
  double begin_ = 0;
};

}  // namespace polygraphy
