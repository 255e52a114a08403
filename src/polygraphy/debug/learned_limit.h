// How long checks may take where nobody says so.
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>

namespace polygraphy {

// Ten times as long as the first one that has ended, and ten seconds at least: for all that check
// the same thing, each in its own thread.
class LearnedLimit {
 public:
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

  std::atomic<double> seconds_ = 0;
};

}  // namespace polygraphy
