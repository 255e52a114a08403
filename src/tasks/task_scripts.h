// For tests: programs in the place of ours that run tasks.
#pragma once

#include <string>

#include "base/os/atomic_file.h"
#include "base/os/files/file_access.h"
#include "base/os/scratch_folder.h"
#include "tasks/task_plan.h"

namespace polygraphy {

// A shell script with the arguments of a task's process: --task-process, the words of the job and
// of the task, --save-task FILE. $file is the last of them.
class TaskScript {
 public:
  explicit TaskScript(const std::string& body) {
    write_file(path(), "#!/bin/sh\nfor file; do :; done\n" + body + "\n");
    make_executable(path());
  }
  std::string path() const { return folder_ / "program"; }
  std::string folder() const { return folder_.path(); }

 private:
  ScratchFolder folder_{temporary_folder() + "/.polygraphy-task-"};
};

inline TaskJob job_in(const std::string& folder) {
  return {.argv = {"run"}, .result_option = "--save-task", .folder = folder};
}

inline TaskPlan plan_of(const TaskJob& job, const std::vector<Task>& tasks,
                        const std::string& path) {
  TaskPlanWriter writer(path, job);
  for (const Task& task : tasks) writer.add(task);
  writer.commit();
  return TaskPlan::open(path);
}

}  // namespace polygraphy
