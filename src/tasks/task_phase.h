// The progress of submitted tasks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/progress.h"

namespace polygraphy {

// A phase that changes its name: tasks wait in a queue, and then run.
class TaskPhase {
 public:
  explicit TaskPhase(size_t tasks) : total_(static_cast<int64_t>(tasks)) {}

  void at(std::string_view name, int64_t done) {
    if (name != name_) {
      phase_.reset();
      phase_.emplace(std::string(name), total_);
      name_ = name;
    }
    phase_->at(done);
  }

 private:
  int64_t total_;
  std::string name_;
  std::optional<ProgressPhase> phase_;
};

inline constexpr std::string_view kRunningTasks = "running tasks";

}  // namespace polygraphy
