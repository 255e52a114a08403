// The contents of files that tasks read.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "base/fingerprint.h"
#include "tasks/task.h"

namespace polygraphy {

// Reads each file once, as long as it stays as it is. Thread-safe.
class InputDigests {
 public:
  // A file of a job with tasks that run in `folder`. O(bytes) the first time. Throws IoError.
  TaskInput input(const std::string& path, const std::string& folder);
  // A sentence: the file is missing on `host`, or has other contents there. Empty: it is the same.
  std::string difference(const TaskInput& input, const std::string& folder,
                         const std::string& host);

 private:
  struct Known {
    uint64_t device = 0, inode = 0, bytes = 0;
    int64_t changed = 0;  // ns
    Fingerprint digest;
  };

  std::mutex mutex_;
  std::map<std::string, Known> known_;
};

}  // namespace polygraphy
