// Files of plans: a line of JSON for the job, and one for each task.
//
//   {"polygraphy_plan": 1, "argv": ["run", "m.onnx", ...], "result": "--save-task", ...}
//   {"id": "5f0c...", "argv": ["--samples", "0..99"], "units": 100}
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/fingerprint.h"
#include "tasks/task.h"

namespace polygraphy {

class AtomicFile;
class MappedFile;

// The plan is one of another version of this program.
inline constexpr ErrorCode kPlanOfOtherVersion{"plan-of-other-version"};
// The plan has no task of this number.
inline constexpr ErrorCode kNoSuchTask{"no-such-task"};

// Writes a plan task by task, in the memory of one line. The file appears with commit().
class TaskPlanWriter {
 public:
  // Throws IoError.
  TaskPlanWriter(const std::string& path, const TaskJob& job);
  ~TaskPlanWriter();
  TaskPlanWriter(const TaskPlanWriter&) = delete;
  TaskPlanWriter& operator=(const TaskPlanWriter&) = delete;

  void add(const Task& task);
  void commit();

 private:
  std::unique_ptr<AtomicFile> file_;
  Fingerprint job_;
};

// A plan as a file has it. Lines are parsed on access.
class TaskPlan {
 public:
  // O(bytes) time, 8 bytes of memory per task. Throws IoError, FormatError, and Error
  // (kPlanOfOtherVersion).
  static TaskPlan open(const std::string& path);
  // The same of a text; `name` stands for it in messages.
  static TaskPlan parse(std::string text, std::string name);

  const std::string& path() const { return path_; }
  const TaskJob& job() const { return job_; }
  const Fingerprint& digest() const { return digest_; }
  int64_t size() const { return static_cast<int64_t>(starts_.size()); }

  // Throws FormatError for a line that is not a task, or has another task's id, and Error
  // (kNoSuchTask).
  Task task(int64_t index) const;
  // Whether the task has separate inputs.
  bool reads_files(int64_t index) const;
  // The name of its result, as the line has it: not checked.
  std::string id(int64_t index) const;

 private:
  explicit TaskPlan(std::string path) : path_(std::move(path)) {}
  void read();
  std::string_view line(int64_t index) const;

  std::string path_;
  std::shared_ptr<const std::string> text_;  // unless mapped
  std::shared_ptr<const MappedFile> file_;
  std::string_view all_;
  TaskJob job_;
  Fingerprint digest_;
  std::vector<uint64_t> starts_;
};

}  // namespace polygraphy
