// Work that is cut into tasks, for schedulers that run them on many machines.
//
// A task is a command line of this program that writes one file. The file depends on nothing but
// the task: its arguments, the contents of the files that it reads, and the versions of engines. So
// a task that runs twice gives the same file twice, and may be stopped at any time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fingerprint.h"
#include "base/ordered_map.h"

namespace polygraphy {

// A file that tasks read.
struct TaskInput {
  std::string path;  // from TaskJob::folder, if it is relative
  Fingerprint digest;
  uint64_t bytes = 0;
  std::vector<TaskInput> beside = {};  // files that it refers to
};

// The share of a machine that a task takes.
struct TaskNeeds {
  int64_t cpus = 1;
  uint64_t memory = 0;  // bytes; 0: not said
  int64_t gpus = 0;
  std::string gpu_type = {};  // in the scheduler's words
};

// The parts that all tasks of a plan share.
struct TaskJob {
  std::vector<std::string> argv;  // without the program
  std::string result_option;      // takes the file that a task writes: "--save-task"
  std::string folder;             // where a task runs: absolute
  std::vector<TaskInput> inputs = {};
  OrderedMap<std::string> versions = {};  // of the engines, as far as they are known
  TaskNeeds needs = {};
  std::string unit = "sample";            // tasks are ranges of these
  int64_t units = 0;                      // in all tasks together
  std::vector<std::string> command = {};  // of the user, who gets the merged results
};

// The parts of one.
struct Task {
  std::vector<std::string> argv;  // behind those of the job
  int64_t units = 1;
  std::vector<TaskInput> inputs = {};
};

// Equal for jobs with tasks that give the same files: folder, paths of inputs, needs and `command`
// do not count.
Fingerprint digest_of(const TaskJob& job);
// The name of the task's result. `job`: its digest.
Fingerprint digest_of(const Fingerprint& job, const Task& task);

}  // namespace polygraphy
