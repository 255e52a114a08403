// How far a plan is, from the files in its folder alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tasks/task_folder.h"
#include "tasks/task_plan.h"

namespace polygraphy {

struct TaskStatus {
  int64_t total = 0, done = 0, running = 0;
  // Tasks that gave up, by their numbers in the plan; none of them has a result.
  std::vector<std::pair<int64_t, TaskFailure>> failed = {};
  // Tasks that were tried without success, also those that have results now: all attempts.
  std::vector<std::pair<int64_t, std::vector<TaskAttempt>>> tried = {};
  // Tasks with results that are truncated, changed, or of another task.
  std::vector<int64_t> damaged = {};
  // Processes that were killed, and have not begun again.
  int64_t stopped = 0;
  // From the pace since the first result; nullopt: not known yet.
  std::optional<double> seconds_left = {};

  int64_t waiting() const {
    return total - done - running - stopped - static_cast<int64_t>(failed.size() + damaged.size());
  }
  bool complete() const { return done == total; }
};

// Files that count as results: all of their names, or those that are whole when they are read.
enum class ResultCheck : uint8_t { kThere, kWhole };

// O(tasks + files): reads failures, and results to check them. Throws FormatError for a damaged
// plan.
TaskStatus status_of(const TaskPlan& plan, const TaskFolder& folder,
                     ResultCheck check = ResultCheck::kWhole);

// Throws FormatError if a task is there twice, or the tasks have more units than their job.
// O(bytes).
void require_unedited(const TaskPlan& plan);

// "12 of 40 tasks done, 2 running, 1 failed, 25 waiting; about 3 min left".
std::string to_text(const TaskStatus& status);

}  // namespace polygraphy
