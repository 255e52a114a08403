// Tasks of Ray, by a program in the user's Python: ray has no interface that lasts but Python's.
#include <fmt/format.h>

#include <algorithm>

#include "base/log_modules.h"
#include "base/os/atomic_file.h"
#include "base/os/child_process.h"
#include "base/os/scratch_folder.h"
#include "base/py_numbers.h"
#include "base/text.h"
#include "formats/record_json.h"
#include "tasks/scheduler.h"
#include "tasks/scheduler_texts.h"
#include "tasks/task_phase.h"

namespace polygraphy {
namespace {

constexpr int64_t kMostAttempts = 5;
constexpr double kBetweenLooks = 0.5;    // seconds
constexpr int kNoPackage = 3;            // the exit code of ray_driver.py without ray
constexpr int kAlarm = 14;               // SIGALRM, which ends it without an answer of the cluster
constexpr int64_t kMostConnecting = 60;  // seconds

constexpr SchedulerSetting kSettings[] = {
    {"address", "HOST:PORT",
     "The cluster. Default: RAY_ADDRESS, or the cluster of this machine, or a new one on this "
     "machine."},
};

std::string request_of(const Submission& submission) {
  const TaskNeeds& needs = submission.needs;
  const std::string* address = submission.settings.find("address");
  std::vector<std::string> worker = worker_words(submission, "");
  worker.resize(worker.size() - 2);  // without --index and its range
  StringSink text;
  JsonWriter json(text, JsonStyle::kCompact);
  json.begin_object();
  json.key("worker");
  json.list(worker, [&](const std::string& word) { json.string(word); });
  json.key("ranges");
  json.list(submission.tasks, [&](int64_t index) { json.string(std::to_string(index)); });
  write_member(json, "cpus", needs.cpus);
  write_member(json, "memory", needs.memory);
  write_member(json, "gpus", needs.gpus);
  write_member(json, "gpu_type", needs.gpu_type);
  write_member(json, "attempts", kMostAttempts);
  write_member(json, "address", address ? *address : "");
  write_member(json, "folder", submission.plan.job().folder);
  write_member(json, "connect_seconds", kMostConnecting);
  json.end_object();
  return text.text();
}

// The driver writes a line when it is connected, and one for each task that has ended.
void show_progress(const Submission& submission, std::string_view out, TaskPhase& phase) {
  const int64_t lines = std::ranges::count(out, '\n');
  if (lines == 0) return phase.at("connecting to Ray", 0);
  const bool all_wait = lines == 1 && submission.folder.begun().empty();
  phase.at(all_wait ? "waiting in Ray's queue" : kRunningTasks, lines - 1);
}

// Why the driver ended without having run all tasks.
std::string reason_of(const ChildProcess& child, const ExitStatus& status) {
  if (status.signal == kAlarm) return fmt::format("no connection within {} s", kMostConnecting);
  const auto lines = split_lines(child.err().text);
  return lines.empty() ? to_text(status) : std::string(lines.back());
}

void run(const Submission& submission, Logger&) {
  const ScratchFolder scratch(temporary_folder() + "/.polygraphy-ray-");
  const std::string program = scratch / "ray_driver.py";
  write_file(program, ray_driver(), Durability::kNone);
  const std::string request = request_of(submission);
  ChildProcess child({.argv = {submission.python, program},
                      .in = ChildStream::of_text(request),
                      .out = ChildStream::capture(),
                      .err = ChildStream::capture(size_t{1} << 20, ChildStream::Keep::kLast)});
  TaskPhase phase(submission.tasks.size());
  std::optional<ExitStatus> status;
  while (!(status = child.wait(kBetweenLooks, submission.cancel)))
    show_progress(submission, child.out().text, phase);
  if (status->signal == 0 && status->code == 0) {
    const auto slots = parse_int(split_lines(child.out().text).front());
    if (submission.capacity && slots) submission.capacity->slots = *slots;
    return;
  }
  const std::string* address = submission.settings.find("address");
  throw Error(
      kNotSubmitted,
      fmt::format("Ray did not take the tasks{}: {}", address ? " at " + *address : "",
                  reason_of(child, *status)),
      status->signal == 0 && status->code == kNoPackage
          ? fmt::format("{} needs the package: pip install ray. POLYGRAPHY_PYTHON names another "
                        "Python.",
                        submission.python)
          : fmt::format("Check the cluster: ray status{}. If it asks for a token, set "
                        "RAY_AUTH_MODE as on its machines.",
                        address ? " --address " + *address : ""));
}

}  // namespace

extern constinit const Scheduler scheduler_ray = {
    .name = "ray",
    .summary = "Tasks of Ray, by your own Python.",
    .settings = kSettings,
    .run = run,
};

}  // namespace polygraphy
