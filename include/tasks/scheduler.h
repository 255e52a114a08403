// Schedulers: what runs the tasks of a plan on one machine or many. One file each under
// src/tasks/schedulers/. Placement, queues, and what happens to a machine that fails are theirs;
// plans, results and their merge are ours.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "base/log.h"
#include "base/ordered_map.h"
#include "base/os/exit_status.h"
#include "tasks/task_folder.h"
#include "tasks/task_plan.h"

namespace polygraphy {

// "slurm:partion=gpu": no such scheduler, no such setting, or not its form.
inline constexpr ErrorCode kBadSchedule{"bad-schedule"};
// A search has no machines to run its checks on, or these do not run them.
inline constexpr ErrorCode kNoAllocation{"no-allocation"};
// The scheduler is not installed, or does not take the tasks.
inline constexpr ErrorCode kNotSubmitted{"not-submitted"};

// How many tasks run at a time, and how long one may run; 0: not known.
struct Capacity {
  int64_t slots = 0;
  double seconds = 0;
};

struct Submission {
  const TaskPlan& plan;
  const TaskFolder& folder;
  std::vector<int64_t> tasks;  // their numbers in the plan, ascending
  const TaskNeeds& needs;      // of a task: the plan's own may be those of an earlier command
  OrderedMap<std::string> settings = {};
  std::string executable;                  // of this program, for the workers
  std::string python = "python3";          // of the user
  std::vector<std::string> launcher = {};  // words before a worker's; "{}" stands for those
  std::string cache = {};  // a folder of each machine, where workers copy the files of tasks
  bool detach = false;     // return when the tasks are queued; the last one is followed by a merge
  CancelToken cancel = {};
  Capacity* capacity = nullptr;  // takes what the scheduler learns of its machines
};

// The value of an environment variable; empty: not set.
using Variable = std::function<std::string_view(std::string_view name)>;

// Processors that a search holds, so that it can check candidates as soon as it has made them.
struct Allocation {
  int64_t slots = 1;                       // commands at a time
  std::vector<std::string> launcher = {};  // words before those of a command
  // The status of the command behind the launcher, from the launcher's own and its standard error.
  // Null: they are the same. Throws Error (kNoAllocation) if the launcher did not start it.
  ExitStatus (*status)(ExitStatus launcher, std::string_view err) = nullptr;
};

struct SchedulerSetting {
  enum class Kind : uint8_t { kText, kNumber, kList };  // a list may be given several times
  std::string_view name, metavar, help;
  Kind kind = Kind::kText;
};

struct Scheduler {
  std::string_view name, summary;
  // The first may be given without its name: "local:2".
  std::span<const SchedulerSetting> settings = {};
  bool detaches = false;     // tasks run on without us
  bool only_writes = false;  // it describes the work in a file, for others to start
  // Of its machines, before anything is submitted. Null: not known. Throws Error (kBadSchedule),
  // Interrupted.
  Capacity (*capacity)(const OrderedMap<std::string>& settings, const TaskNeeds& needs,
                       const CancelToken& cancel) = nullptr;
  // Finds the processors that this process holds. Null: the scheduler only queues. Throws Error
  // (kBadSchedule, kNoAllocation).
  Allocation (*allocation)(const OrderedMap<std::string>& settings,
                           const Variable& variable) = nullptr;
  // Returns when no task of the submission runs or waits, or each is queued (detach). Results and
  // failures are in the folder. Cancelled: nothing runs on. Throws Error (kNotSubmitted),
  // Interrupted.
  void (*run)(const Submission& submission, Logger& log) = nullptr;
};

// All, in the order of their names.
std::span<const Scheduler* const> schedulers();

struct Schedule {
  const Scheduler* scheduler = nullptr;
  OrderedMap<std::string> settings = {};
};

// "local", "local:2", "slurm:partition=gpu,time=1h". Throws Error (kBadSchedule).
Schedule parse_schedule(std::string_view text);

// For a search. Throws Error (kBadSchedule, kNoAllocation).
Allocation allocation_of(const Schedule& schedule, const Variable& variable);

// A positive number; `otherwise` if the setting is not given. Throws Error (kBadSchedule).
int64_t number_of(const OrderedMap<std::string>& settings, std::string_view name,
                  int64_t otherwise);

// The values of a list, in the order of the command line.
std::vector<std::string_view> values_of(const OrderedMap<std::string>& settings,
                                        std::string_view name);

// The words of a worker that runs these tasks: "7", "0..9", "3,5..8".
std::vector<std::string> worker_words(const Submission& submission, const std::string& tasks);

// The tasks, cut into `parts` of equal numbers, as words for workers.
std::vector<std::string> task_lists(std::span<const int64_t> tasks, int64_t parts);

// Writes a line for each of them into a file of the folder; returns its path. Throws IoError.
std::string write_task_lists(const TaskFolder& folder, std::span<const std::string> lists);

}  // namespace polygraphy
