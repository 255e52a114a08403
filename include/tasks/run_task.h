// A worker's part: runs tasks of a plan, one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/log.h"
#include "tasks/input_digests.h"
#include "tasks/task_folder.h"
#include "tasks/task_plan.h"

namespace polygraphy {

// The first argument of a process that runs a task: it exits with a TaskOutcome.
inline constexpr std::string_view kTaskProcess = "--task-process";

// A task that measures writes the figures beside its result, with this end of the name.
inline constexpr std::string_view kMeasuredEnd = ".measured";

// Accuracy results lie beside the result, with this end of the name, until they are a part of it.
inline constexpr std::string_view kAccuracyEnd = ".accuracy";

// At a signal, a task writes the result of the units that it has finished, and their
// number beside it, with this end of the name.
inline constexpr std::string_view kFinishedEnd = ".finished";

// Exit codes that schedulers know how to treat: BSD's sysexits.
enum class TaskOutcome : uint8_t {
  kDone = 0,
  kNever = 65,      // no machine gives a result: wrong arguments, an engine that crashes
  kElsewhere = 75,  // of this machine or this moment: no memory, no space, no library, a signal
};

struct TaskTools {
  std::string executable;  // of this program
  CancelToken cancel = {};
  std::string host = {};                       // in failures; empty: the name of this machine
  std::shared_ptr<InputDigests> digests = {};  // null: each call reads the inputs
  std::string cache = {};                      // a folder of this machine for copies of inputs
  Logger* log = nullptr;                       // of warnings
  std::string stop_reason = {};  // of the failure that a cancelled task leaves; empty: none
  double patience = 2;           // seconds that a cancelled task has to write its finished units
};

// Runs the task in a child process, unless it has a result. Only kDone leaves a result; the others
// leave a failure with a reason, and its log. A task that was ended goes on behind the units that
// it had finished. A task that another process runs is waited for. A damaged result is set aside,
// and the task runs again. Throws IoError where the folder cannot be written, FormatError for a
// damaged plan, and Interrupted.
TaskOutcome run_task(const TaskPlan& plan, int64_t index, const TaskFolder& folder,
                     const TaskTools& tools);

// The name of this machine.
std::string host_name();

}  // namespace polygraphy
