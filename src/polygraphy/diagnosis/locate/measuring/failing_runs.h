// The time that runs of parts of a model took and failed.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <string>

#include "base/log.h"
#include "base/log_modules.h"

namespace polygraphy {

class FailingRuns {
 public:
  // `limit`: seconds.
  FailingRuns(double limit, std::string engine, Logger& log)
      : limit_(limit), engine_(std::move(engine)), log_(log) {}

  // A run of `parts` side by side, which began at `started`. Each five seconds of such runs cause a
  // warning: one that is as long, or many short ones.
  void add(std::chrono::steady_clock::time_point started, size_t parts, const char* failure) {
    constexpr double kSlow = 5;
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - started;
    seconds_ += time.count();
    if (seconds_ - said_ < kSlow) return;
    said_ = seconds_;
    log_.warning(log_modules::kLocate,
                 fmt::format("{} took {:.0f} s for runs that failed, the last one on {} of the "
                             "model: {}",
                             engine_, seconds_,
                             parts == 1 ? "a part" : fmt::format("{} parts", parts), failure));
  }
  bool too_long() const { return seconds_ > limit_; }
  std::string reason() const {
    return fmt::format("it did not run alone, because runs of other parts failed for {:.0f} s",
                       seconds_);
  }

 private:
  const double limit_;
  const std::string engine_;
  Logger& log_;
  double seconds_ = 0, said_ = 0;  // until now, until the last warning
};

}  // namespace polygraphy
