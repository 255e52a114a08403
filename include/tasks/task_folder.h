// The folder of a plan, which all machines share:
//
//   <digest>.jsonl              plans, by the digest of job and units
//   results/<xx>/<id>.json      a line that identifies the result, and the file that the task
//                               wrote; <xx>: the first two digits of the id
//   parts/<id>.json             the same of the units that a task finished before it was ended
//   times/<xx>/<id>             how long the task took, and what it measured
//   failed/<id>.json, .log      the reason, and what the task printed
//   tried/<id>.json             the reasons of all attempts without a result; stays
//   warnings/<digest>.log       what one of the tasks with these warnings printed
//   running/<id>.log            what it has printed so far; locked while it runs
//   damaged/<id>.json           what lay in the place of a result
//   lists/<digest>              the tasks of each element of an array of the scheduler
//
// Files appear complete or not at all, so no lock is needed, and a process that is killed at any
// time leaves the results right. Others may write there, too: links are not followed, and only
// regular files of a bounded size are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "base/fingerprint.h"

namespace polygraphy {

// A result's file has another task's result, or is damaged.
inline constexpr ErrorCode kNotTheResult{"not-the-result"};

// Why a task has no result.
struct TaskFailure {
  bool final = false;  // no machine gives another result
  int64_t attempts = 0;
  std::string host;    // of the last attempt
  std::string reason;  // a sentence
};

// An attempt without a result.
struct TaskAttempt {
  std::string host, reason;
};

// The first units of a task that was ended. The next attempt runs the others.
struct TaskPart {
  int64_t units = 0;
  double seconds = 0;                       // that they took
  std::vector<std::string> documents = {};  // that attempts wrote for them, in order
};

// Ids of tasks, which a plan may have millions of.
class TaskIds {
 public:
  // Of 32 hexadecimal digits. False: it is there already, or is not an id.
  bool insert(std::string_view id) {
    const auto parsed = parse_fingerprint(id);
    return parsed && ids_.insert(*parsed).second;
  }
  bool contains(std::string_view id) const {
    const auto parsed = parse_fingerprint(id);
    return parsed && ids_.contains(*parsed);
  }
  auto begin() const { return ids_.begin(); }
  auto end() const { return ids_.end(); }

 private:
  struct Hash {
    size_t operator()(const Fingerprint& id) const { return id.low; }
  };
  std::unordered_set<Fingerprint, Hash> ids_;
};

class TaskFolder {
 public:
  explicit TaskFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string plan_path(std::string_view digest) const;
  std::string result_path(std::string_view id) const;
  std::string time_path(std::string_view id) const;
  std::string failure_path(std::string_view id) const;
  // The log of a running task, and of one that failed.
  std::string running_log(std::string_view id) const;
  std::string failed_log(std::string_view id) const;
  std::string part_path(std::string_view id) const;
  std::string tried_path(std::string_view id) const;
  // The log of tasks with these warnings.
  std::string warning_log(std::string_view digest) const;
  // The file that an attempt on this machine writes, before it is a result.
  std::string written_path(std::string_view id, std::string_view host, int64_t process) const;

  // Makes the folders. Throws IoError, also for one that is a link.
  void make() const;

  // The whole and unchanged result is there. O(bytes).
  bool has_result(std::string_view id) const;
  // Moves what lies in the place of the result into damaged/, and returns its path there; empty:
  // nothing is there. Throws IoError.
  std::string set_aside_result(std::string_view id) const;
  // The file that the task wrote; several, in the order of its units, if it was ended and went on.
  // Throws IoError, and Error (kNotTheResult) for the file of another task and for changed bytes.
  std::vector<std::string> read_result(std::string_view id) const;
  // Durable, and complete or not at all; nothing foreign is in its place. Throws IoError.
  // `measured`: figures that differ from run to run, so they are not in the result.
  void write_result(std::string_view id, const std::vector<std::string>& documents, double seconds,
                    std::string_view measured = {}) const;

  // Without units, if it is missing or damaged.
  TaskPart read_part(std::string_view id) const;
  void write_part(std::string_view id, const TaskPart& part) const;
  void forget_part(std::string_view id) const;

  std::optional<TaskFailure> read_failure(std::string_view id) const;
  // Adds it to the attempts, too.
  void write_failure(std::string_view id, const TaskFailure& failure) const;
  // The last ones without a result, oldest first.
  std::vector<TaskAttempt> attempts(std::string_view id) const;
  // So that the task is tried again.
  void forget_failure(std::string_view id) const;

  // Seconds that the task took; nullopt: not known.
  std::optional<double> seconds(std::string_view id) const;
  // Figures that the task measured; may be empty.
  std::string measured(std::string_view id) const;

  // The ids of all that is there, without reading it: O(files).
  TaskIds results() const;
  std::unordered_set<std::string> failures() const;
  // The number of logs with warnings, each of other ones.
  size_t warning_logs() const;
  // Of tasks with attempts().
  std::unordered_set<std::string> tried() const;
  // Of tasks that began and did not end.
  std::unordered_set<std::string> begun() const;
  // A process of any machine runs the task at present. False: it was killed; where the file system
  // has no locks, that is not known.
  bool runs(std::string_view id) const;

 private:
  std::string path_;
};

}  // namespace polygraphy
