#include "tasks/task_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/os/files/file_status.h"

namespace polygraphy {
namespace {

// Enough for a pace, and soon read.
constexpr size_t kMostTimes = 1000;

// Seconds since the epoch; nullopt: the file does not exist.
std::optional<double> changed(const std::string& path) {
  const auto status = file_status(path);
  if (!status) return std::nullopt;
  return static_cast<double>(status->changed_ns) * 1e-9;
}

// Of results that came one after the other, evenly spread over the plan. The units of the first one
// were done before.
std::optional<double> seconds_left(const std::vector<int64_t>& done, const TaskPlan& plan,
                                   const TaskFolder& folder) {
  const size_t step = std::max<size_t>(1, done.size() / kMostTimes);
  double first = 0, last = 0, before = 0, units = 0;
  for (size_t i = 0; i < done.size(); i += step) {
    const auto time = changed(folder.result_path(plan.id(done[i])));
    if (!time) continue;
    const auto own = static_cast<double>(plan.task(done[i]).units);
    units += own;
    last = std::max(last, *time);
    if (first != 0 && *time >= first) continue;
    first = *time;
    before = own;
  }
  if (units <= before) return std::nullopt;
  const auto scale = static_cast<double>(step);  // results that each stands for
  const double left = static_cast<double>(plan.job().units) - units * scale;
  return std::max(0.0, left) * (last - first) / ((units - before) * scale);
}

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

TaskStatus status_of(const TaskPlan& plan, const TaskFolder& folder, ResultCheck check) {
  const TaskIds results = folder.results();
  const auto failures = folder.failures(), begun = folder.begun(), tried = folder.tried();
  TaskStatus status{.total = plan.size()};
  std::vector<int64_t> done;
  for (int64_t i = 0; i < plan.size(); ++i) {
    const std::string id = plan.id(i);
    if (tried.contains(id)) status.tried.emplace_back(i, folder.attempts(id));
    const bool there = results.contains(id);
    if (there && (check == ResultCheck::kThere || folder.has_result(id))) {
      ++status.done;
      done.push_back(i);
    } else if (there) {
      status.damaged.push_back(i);
    } else if (begun.contains(id) && folder.runs(id)) {
      ++status.running;
    } else if (failures.contains(id)) {
      if (auto failure = folder.read_failure(id)) status.failed.emplace_back(i, *failure);
    } else if (begun.contains(id)) {
      ++status.stopped;
    }
  }
  const int64_t left = status.total - status.done - static_cast<int64_t>(status.failed.size());
  if (left > 0) status.seconds_left = seconds_left(done, plan, folder);
  return status;
}

void require_unedited(const TaskPlan& plan) {
  TaskIds ids;
  int64_t left = plan.job().units;
  for (int64_t i = 0; i < plan.size(); ++i) {
    const int64_t units = plan.task(i).units;
    if (units >= 1 && units <= left && ids.insert(plan.id(i))) {
      left -= units;
      continue;
    }
    throw FormatError(
        fmt::format("{}: task {} is there twice, or does not have {} of the {}: the plan was "
                    "edited, or is damaged",
                    plan.path(), i, plan.job().unit, plan.job().units),
        "Delete it, and run the command again. Results that are there are used.");
  }
}

std::string to_text(const TaskStatus& status) {
  std::string text = fmt::format("{} of {} tasks done", status.done, status.total);
  if (status.running > 0) text += fmt::format(", {} running", status.running);
  if (!status.failed.empty()) text += fmt::format(", {} failed", status.failed.size());
  if (!status.damaged.empty()) text += fmt::format(", {} damaged", status.damaged.size());
  if (status.stopped > 0) text += fmt::format(", {} stopped", status.stopped);
  if (status.waiting() > 0) text += fmt::format(", {} waiting", status.waiting());
  if (status.seconds_left) text += fmt::format("; about {} left", duration(*status.seconds_left));
  return text;
}

}  // namespace polygraphy
