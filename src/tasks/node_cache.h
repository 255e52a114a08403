// Copies of the files of tasks on a disk of this machine.
#pragma once

#include <string>

#include "tasks/run_task.h"

namespace polygraphy {

// A folder for each user and set of files, named by their contents. In it, each file has the path
// that it has in the folder of the job, so a task that runs there finds them by the words of its
// plan. Files with absolute paths, or outside of the folder of the job, stay where they are.
class NodeCache {
 public:
  explicit NodeCache(std::string path) : path_(std::move(path)) {}

  // The folder with the files that the task reads. The first of several processes copies them, file
  // by file; a copy with other contents than in the plan is replaced. O(bytes) once for each
  // `tools.digests`. Throws IoError (the disk is full, a file differs from the plan's, or the
  // folder or a copy belongs to another user), Interrupted.
  std::string folder_for(const TaskJob& job, const Task& task, const TaskTools& tools) const;

 private:
  std::string path_;
};

// Whether the file has a place in a NodeCache.
bool is_cached(const TaskInput& input);

}  // namespace polygraphy
