// The time limit of a check: set by the user, or a multiple of the duration of the first check.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace polygraphy {

// Ten times the duration of the first finished check, and at least ten seconds. Checks of the same
// kind share it across threads.
class LearnedTimeout {
 public:
  // `remedy`: a sentence on how to set another limit, for messages.
  explicit LearnedTimeout(std::string_view remedy = {}) : remedy_(remedy) {}

  // A blank and the sentence; empty without a remedy.
  std::string remedy() const { return remedy_.empty() ? "" : " " + remedy_; }
  // The limit of a check; nullopt: no check has finished yet.
  std::optional<double> seconds() const {
    const double known = seconds_;
    return known > 0 ? std::optional(known) : std::nullopt;
  }
  // Records the duration of a finished check, in seconds. The first one sets the limit.
  void learn(double took) {
    double none = 0;
    seconds_.compare_exchange_strong(none, std::max(kLeast, kTimesFirst * took));
  }

 private:
  static constexpr double kTimesFirst = 10, kLeast = 10;  // seconds

  const std::string remedy_;

  std::atomic<double> seconds_ = 0;
};

class CheckTimeout {
 public:
  // `learned`: shared with checks of the same kind in other threads; null: not shared.
  CheckTimeout(std::optional<double> seconds, std::shared_ptr<LearnedTimeout> learned)
      : given_(seconds),
        learned_(learned ? std::move(learned) : std::make_shared<LearnedTimeout>()) {}

  // Starts the time of a check.
  void begin() { begin_ = seconds_now(); }
  double left() const { return std::max(0.0, limit() - (seconds_now() - begin_)); }
  // The check finished in time.
  void end() { learned_->learn(seconds_now() - begin_); }

  double limit() const { return given_ ? *given_ : learned_->seconds().value_or(kFirst); }
  // The reason for the limit, for messages.
  std::string reason() const {
    if (given_) return ".";
    return (learned_->seconds() ? ", ten times the first check."
                                : ", the limit for the first check.") +
           learned_->remedy();
  }

 private:
  static constexpr double kFirst = 600;  // seconds

  std::optional<double> given_;
  std::shared_ptr<LearnedTimeout> learned_;
  double begin_ = 0;
};

}  // namespace polygraphy
