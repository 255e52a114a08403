// How long a check may take: what the user has said, or a multiple of what the first one took.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace polygraphy {

// Ten times as long as the first check that has ended, and ten seconds at least: shared by all that
// check the same thing, each in its own thread.
class LearnedTimeout {
 public:
  // `remedy`: a sentence on how to set another limit, for messages.
  explicit LearnedTimeout(std::string_view remedy = {}) : remedy_(remedy) {}

  // The sentence, behind a blank; empty: there is none.
  std::string remedy() const { return remedy_.empty() ? "" : " " + remedy_; }
  // Of a check; nullopt: none has ended yet.
  std::optional<double> seconds() const {
    const double known = seconds_;
    return known > 0 ? std::optional(known) : std::nullopt;
  }
  // A check has ended after so many seconds. The first one tells.
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
  // `learned`: what checks of the same kind in other threads learn, too; null: this one's alone.
  CheckTimeout(std::optional<double> seconds, std::shared_ptr<LearnedTimeout> learned)
      : given_(seconds),
        learned_(learned ? std::move(learned) : std::make_shared<LearnedTimeout>()) {}

  // Of the check that begins now.
  void begin() { begin_ = seconds_now(); }
  double left() const { return std::max(0.0, limit() - (seconds_now() - begin_)); }
  // It has ended in time.
  void end() { learned_->learn(seconds_now() - begin_); }

  double limit() const { return given_ ? *given_ : learned_->seconds().value_or(kFirst); }
  // For messages, behind the limit.
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
