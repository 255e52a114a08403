// Cuts a job into tasks and has a scheduler run them until each has a result.
#pragma once

#include <cstdint>
#include <functional>
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

// Joins the results of all tasks of a plan. May be called again: it replaces what it joined before.
using MergeResults = std::function<void(const TaskPlan& plan)>;

// Runs the tasks and merges their results; false: they are queued, or described for others to
// start. The first tasks are short, to find out how long a unit takes; tasks_from() makes the
// others. Tasks with results are not run again, so a call that was cut off goes on where it was.
// Where the merge throws, damaged results are set aside, and their tasks run again. Throws Error
// (kTasksFailed, kNotSubmitted, kPlanOutdated), Error (kNotTheResult) for damage to what others
// ran (Distribution::merges), FormatError for a plan that is not of these units, IoError,
// Interrupted.
bool distribute(const TaskJob& job, const TaskUnits& units, const Distribution& how,
                const MergeResults& merge, Logger& log);

// Throws Error (kPlanOutdated) if a file that tasks of the plan read has changed. O(bytes).
void require_same_files(const TaskPlan& plan);

// Throws Error (kTasksFailed) unless all tasks have results.
void require_results(const TaskPlan& plan, const TaskFolder& folder);

}  // namespace polygraphy
