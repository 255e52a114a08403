// Cuts a job into tasks and has a scheduler run them until each has a result.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "tasks/cut_tasks.h"
#include "tasks/input_digests.h"
#include "tasks/scheduler.h"
#include "tasks/task_folder.h"
#include "tasks/task_plan.h"

namespace polygraphy {

// Some tasks have no result, and trying again changes nothing.
inline constexpr ErrorCode kTasksFailed{"tasks-failed"};
// The results of a plan are not those that the command would make now.
inline constexpr ErrorCode kPlanOutdated{"plan-outdated"};

struct Distribution {
  std::string folder;  // for plans and results: one that all machines share
  Schedule schedule;
  std::string executable;
  std::string python = "python3";
  std::vector<std::string> launcher = {};
  std::string cache = {};  // as in Submission
  bool detach = false;
  bool merges = false;  // results that are there, of require_results(): no plan is begun
  CancelToken cancel = {};
};

// A plan with results of all tasks; nullopt: they are queued, or described for others to start. The
// first tasks are short, to find out how long a unit takes; tasks_from() makes the others. Tasks
// with results are not run again, so a call that was cut off goes on where it was; damaged results
// are set aside. Throws Error (kTasksFailed, kNotSubmitted, kPlanOutdated), FormatError for a plan
// that is not of these units, IoError, Interrupted.
std::optional<TaskPlan> distribute(const TaskJob& job, const TaskUnits& units,
                                   const Distribution& how, Logger& log);

// Throws Error (kPlanOutdated) if a file that tasks of the plan read has changed. O(bytes).
void require_same_files(const TaskPlan& plan);

// Throws Error (kTasksFailed) unless all tasks have results.
void require_results(const TaskPlan& plan, const TaskFolder& folder);

}  // namespace polygraphy
