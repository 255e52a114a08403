// How long a check may take: what was asked for, or a multiple of what the first one took.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "polygraphy/debug/learned_limit.h"

namespace polygraphy {

class TimeLimit {
 public:
  // `learned`: what checks of the same kind in other threads learn, too; null: this one's alone.
  TimeLimit(std::optional<double> seconds, std::shared_ptr<LearnedLimit> learned)
      : asked_(seconds),
        learned_(learned ? std::move(learned) : std::make_shared<LearnedLimit>()) {}

  // Of the check that begins now.
  void begin() { begin_ = seconds_now(); }
  double left() const { return std::max(0.0, limit() - (seconds_now() - begin_)); }
  // It has ended in time.
  void end() { learned_->learn(seconds_now() - begin_); }

  double limit() const { return asked_ ? *asked_ : learned_->seconds().value_or(kFirst); }
  // For messages, behind the limit.
  std::string_view reason() const {
    if (asked_) return ".";
    return learned_->seconds()
               ? ", ten times the first one. --check-timeout sets another limit."
               : ", the most for the first one. --check-timeout sets another limit.";
  }

 private:
  static constexpr double kFirst = 600;  // seconds

  std::optional<double> asked_;
  std::shared_ptr<LearnedLimit> learned_;
  double begin_ = 0;
};

}  // namespace polygraphy
