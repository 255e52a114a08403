// How work is cut into tasks: short ones, to learn the pace, and then waves for all machines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/scheduler.h"
#include "tasks/task.h"

namespace polygraphy {

// The units that tasks are ranges of.
struct TaskUnits {
  // Each unit is a word of the task's argv, and a file that it reads ...
  std::vector<TaskInput> listed = {};
  // ... or its number in a range that this option takes: "--samples 0..99". Neither: the job is one
  // task.
  std::string range_option = {};
  int64_t count = 0;

  int64_t size() const { return listed.empty() ? count : static_cast<int64_t>(listed.size()); }
};

// Of a task: some time before the first unit, and some for each.
struct Pace {
  double start = 0, unit = 0;  // seconds
};

// The task of the units [first, first + count).
Task task_of(const TaskUnits& units, int64_t first, int64_t count);

// The task without its first units, which are fewer than it has.
Task task_behind(const Task& task, int64_t units);

// Enough to know the pace: one unit, and some more. Few units are a task each.
std::vector<Task> first_tasks(const TaskUnits& units);

// The units from `first` on. All slots work to the end: there are as many tasks as slots, or a
// multiple of them, of about a minute each, or half of the time that a task may run. Large files
// count for more than small ones.
std::vector<Task> tasks_from(const TaskUnits& units, int64_t first, const Pace& pace,
                             const Capacity& capacity);

}  // namespace polygraphy
