#include "tasks/run_task.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/fingerprint.h"
#include "base/log_modules.h"
#include "base/os/child_process.h"
#include "base/os/files/file_access.h"
#include "base/os/files/file_lock.h"
#include "base/os/files/file_status.h"
#include "base/os/files/open_file.h"
#include "base/os/processes/this_process.h"
#include "base/text.h"
#include "tasks/cut_tasks.h"
#include "tasks/node_cache.h"
#include "tasks/shared_file.h"

namespace polygraphy {
namespace {

constexpr size_t kMostLog = size_t{64} << 10;      // bytes of a log that are searched for a reason
constexpr uint64_t kMostPart = uint64_t{1} << 30;  // bytes of the file that a task writes

std::string end_of(int fd) {
  const auto status = file_status(fd);
  if (!status) return {};
  std::string text(std::min<uint64_t>(status->bytes, kMostLog), '\0');
  const uint64_t start = status->bytes - text.size();
  text.resize(read_all_at(fd, start, std::as_writable_bytes(std::span(text))).value_or(0));
  return text;
}

// The first line with an error of the last lines of a log; else the last line.
std::string reason_in(const std::string& log) {
  constexpr std::string_view kMark = "[!] ";
  std::string last;
  for (const std::string_view line : split(log, '\n')) {
    if (const size_t mark = line.find(kMark); mark != line.npos)
      return std::string(line.substr(mark + kMark.size()));
    if (!line.empty()) last = line;
  }
  return last;
}

// The lines with warnings and errors of a log. May be empty.
std::string warnings_in(const std::string& log) {
  std::string warnings;
  for (const std::string_view line : split(log, '\n')) {
    if (line.find("[W] ") != line.npos || line.find("[E] ") != line.npos)
      warnings.append(line).append("\n");
  }
  return warnings;
}

// The log of a task that begins: no other process runs it as long as this lives.
class RunningLog {
 public:
  // Waits for another process that runs the task. Throws IoError, Interrupted.
  RunningLog(const TaskFolder& folder, std::string_view id, const TaskTools& tools)
      : path_(folder.running_log(id)) {
    LockAttempts attempts(path_, {}, tools.cancel, tools.log);
    while (true) {
      file_ = open_regular(path_, OpenFor::kWriting);
      // The name may have gone with the process before.
      if (attempts.take(fd()) && names_file(path_, fd())) break;
    }
    set_size(fd(), 0);
  }
  ~RunningLog() {
    if (!moved_) remove_file(path_);
  }
  RunningLog(const RunningLog&) = delete;
  RunningLog& operator=(const RunningLog&) = delete;

  int fd() const { return file_.get(); }
  std::string end() const { return end_of(fd()); }
  void move_to(const std::string& path) { moved_ = std::rename(path_.c_str(), path.c_str()) == 0; }

 private:
  std::string path_;
  FileDescriptor file_;
  bool moved_ = false;
};

struct Attempt {
  TaskOutcome outcome;
  std::string reason = {};
  bool cancelled = false;
};

// The signal that ended the process. One that stops at a signal exits with 128 + its number.
ExitStatus ended(ExitStatus status) {
  constexpr int kStopped = 128;
  ExitStatus stopped{.signal = status.code - kStopped};
  return ended_from_outside(stopped) ? stopped : status;
}

Attempt judge(const ExitStatus& given, bool wrote, const std::string& log) {
  const ExitStatus status = ended(given);
  if (status.signal != 0) {
    const auto outcome = ended_from_outside(status) ? TaskOutcome::kElsewhere : TaskOutcome::kNever;
    return {outcome, "The process " + to_text(status) + "."};
  }
  if (status.code == 0 && wrote) return {TaskOutcome::kDone};
  std::string reason = reason_in(log);
  if (reason.empty()) reason = "The process " + to_text(status) + " without a result.";
  const auto elsewhere = static_cast<int>(TaskOutcome::kElsewhere);
  return {status.code == elsewhere ? TaskOutcome::kElsewhere : TaskOutcome::kNever, reason};
}

std::vector<std::string> words_of(const TaskJob& job, const Task& task, const std::string& part,
                                  const std::string& executable) {
  std::vector<std::string> words = {executable, std::string(kTaskProcess)};
  words.insert(words.end(), job.argv.begin(), job.argv.end());
  words.insert(words.end(), task.argv.begin(), task.argv.end());
  words.push_back(job.result_option);
  words.push_back(part);
  return words;
}

// The files that the process of a task writes: without names in the end, whatever happens.
struct Written {
  std::string path, measured = path + std::string(kMeasuredEnd),
                    finished = path + std::string(kFinishedEnd),
                    accuracy = path + std::string(kAccuracyEnd);

  ~Written() {
    for (const std::string* one : {&path, &measured, &finished, &accuracy}) remove_file(*one);
  }
  bool there() const { return is_readable(path); }
  std::string text() const { return read_shared(path, kMostPart); }
  std::string figures() const {
    return is_readable(measured) ? read_shared(measured, kMostPart) : std::string();
  }
  // Units that the file is of, if the process was ended before the last one; else 0.
  int64_t units() const {
    int64_t units = 0;
    if (!there() || !is_readable(finished)) return 0;
    const std::string text = read_shared(finished, kMostPart);
    std::from_chars(text.data(), text.data() + text.size(), units);
    return units;
  }
};

// Where the task runs: in a folder of copies, or else in the job's folder.
std::string folder_of(const TaskJob& job, const Task& task, const TaskTools& tools) {
  if (tools.cache.empty()) return job.folder;
  try {
    return NodeCache(tools.cache).folder_for(job, task, tools);
  } catch (const IoError& error) {
    if (tools.log) {
      tools.log->warning(log_modules::kTasks,
                         fmt::format("Not cached on {}: {}", tools.host, error.what()));
    }
    return job.folder;
  }
}

// A sentence: a file differs from the plan's. Copies were compared when they were made.
std::string difference(const TaskJob& job, const Task& task, bool cached, const TaskTools& tools) {
  for (const auto& inputs : {job.inputs, task.inputs}) {
    for (const TaskInput& input : inputs) {
      if (cached && is_cached(input)) continue;
      std::string wrong = tools.digests->difference(input, job.folder, tools.host);
      if (!wrong.empty()) return wrong;
    }
  }
  return {};
}

struct End {
  ExitStatus status;
  bool cancelled = false;
};

// A cancelled process gets time to write its finished units. The signal does not go to its engines:
// their ends would be failures.
End end_of(ChildProcess& child, const TaskTools& tools) {
  try {
    return {*child.wait({}, tools.cancel)};
  } catch (const Interrupted&) {
    ask_to_end(child.pid());
    const auto status = child.wait(tools.patience);
    return {status ? *status : child.kill(0), true};
  }
}

Attempt attempt(const TaskPlan& plan, const Task& task, std::string_view id,
                const TaskFolder& folder, const TaskTools& tools, const RunningLog& log) {
  const TaskJob& job = plan.job();
  if (!is_executable(job.folder)) {
    return {TaskOutcome::kElsewhere,
            fmt::format("The folder {} of the plan is not on {}.", job.folder, tools.host)};
  }
  const std::string runs_in = folder_of(job, task, tools);
  std::string wrong = difference(job, task, runs_in != job.folder, tools);
  if (!wrong.empty()) return {TaskOutcome::kElsewhere, std::move(wrong)};
  const Written written{folder.written_path(id, tools.host, process_id())};
  TaskPart part = folder.read_part(id);
  if (part.units < 1 || part.units >= task.units) part = {};
  ChildProcess child(
      {.argv = words_of(job, task_behind(task, part.units), written.path, tools.executable),
       .folder = runs_in,
       .out = ChildStream::of_descriptor(log.fd()),
       .err = ChildStream::of_descriptor(log.fd())});
  const double start = seconds_now();
  const auto [status, cancelled] = end_of(child, tools);
  part.seconds += seconds_now() - start;
  const int64_t finished = written.units();
  const bool last = finished > 0 && part.units + finished == task.units;
  Attempt result =
      judge(last ? ExitStatus() : status, written.there() && (last || finished == 0), log.end());
  if (result.outcome == TaskOutcome::kDone) {
    const bool whole = part.units == 0;
    part.documents.push_back(written.text());
    // Figures of a part do not say which one.
    folder.write_result(id, part.documents, part.seconds, whole ? written.figures() : "");
    folder.forget_part(id);
    return result;
  }
  if (cancelled) result = {TaskOutcome::kElsewhere, tools.stop_reason, true};
  if (finished > 0 && part.units + finished < task.units) {
    part.units += finished;
    part.documents.push_back(written.text());
    folder.write_part(id, part);
  }
  if (part.units > 0) {
    result.reason += fmt::format(" {} of its {} {}s are kept.", part.units, task.units, job.unit);
  }
  return result;
}

void keep_failure(const TaskFolder& folder, std::string_view id, const Attempt& attempt,
                  const TaskTools& tools, RunningLog& log) {
  const auto before = folder.read_failure(id);
  folder.write_failure(id, {.final = attempt.outcome == TaskOutcome::kNever,
                            .attempts = 1 + (before ? before->attempts : 0),
                            .host = tools.host,
                            .reason = attempt.reason});
  log.move_to(folder.failed_log(id));
}

// Of all tasks with the same warnings, the log of one.
void keep_warnings(const TaskFolder& folder, RunningLog& log) {
  const std::string warnings = warnings_in(log.end());
  if (!warnings.empty()) log.move_to(folder.warning_log(fingerprint(warnings).text()));
}

}  // namespace

std::string host_name() {
  return machine_name();
}

TaskOutcome run_task(const TaskPlan& plan, int64_t index, const TaskFolder& folder,
                     const TaskTools& given) {
  TaskTools tools = given;
  if (tools.host.empty()) tools.host = host_name();
  if (!tools.digests) tools.digests = std::make_shared<InputDigests>();
  const Task task = plan.task(index);
  const std::string id = plan.id(index);
  if (folder.has_result(id)) return TaskOutcome::kDone;
  folder.make();
  RunningLog log(folder, id, tools);
  if (folder.has_result(id)) return TaskOutcome::kDone;
  if (const std::string aside = folder.set_aside_result(id); !aside.empty() && tools.log) {
    tools.log->warning(
        log_modules::kTasks,
        fmt::format("The result of task {} was damaged, so the task runs again: {}", index, aside));
  }
  const auto result = [&]() -> Attempt {
    try {
      return attempt(plan, task, id, folder, tools, log);
    } catch (const Interrupted&) {
      return {TaskOutcome::kElsewhere, tools.stop_reason, true};
    }
  }();
  if (result.outcome == TaskOutcome::kDone) {
    folder.forget_failure(id);
    keep_warnings(folder, log);
    return result.outcome;
  }
  if (!result.cancelled || !tools.stop_reason.empty()) keep_failure(folder, id, result, tools, log);
  if (result.cancelled) throw Interrupted();
  return result.outcome;
}

}  // namespace polygraphy
