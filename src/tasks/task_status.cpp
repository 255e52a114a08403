#include "tasks/task_status.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>

namespace polygraphy {
namespace {

// Enough for a pace, and soon read.
constexpr size_t kMostTimes = 1000;

// Seconds since the epoch; nullopt: there is no such file.
std::optional<double> changed(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return static_cast<double>(info.st_mtim.tv_sec) +
         static_cast<double>(info.st_mtim.tv_nsec) * 1e-9;
}

// Of results that came one after the other, evenly spread over the plan.
std::optional<double> seconds_left(const std::vector<std::string>& done, int64_t left,
                                   const TaskFolder& folder) {
  std::vector<double> times;
  const size_t step = std::max<size_t>(1, done.size() / kMostTimes);
  for (size_t i = 0; i < done.size(); i += step) {
    if (const auto time = changed(folder.result_path(done[i]))) times.push_back(*time);
  }
  if (times.size() < 2) return std::nullopt;
  const auto [first, last] = std::minmax_element(times.begin(), times.end());
  const double span = *last - *first;
  return span / static_cast<double>(done.size() - 1) * static_cast<double>(left);
}

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 90 * 60) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

TaskStatus status_of(const TaskPlan& plan, const TaskFolder& folder) {
  const auto results = folder.results(), failures = folder.failures(), begun = folder.begun();
  TaskStatus status{.total = plan.size()};
  std::vector<std::string> done;
  for (int64_t i = 0; i < plan.size(); ++i) {
    const std::string id = plan.id(i);
    if (results.contains(id)) {
      ++status.done;
      done.push_back(id);
    } else if (begun.contains(id) && folder.runs(id)) {
      ++status.running;
    } else if (failures.contains(id)) {
      if (auto failure = folder.read_failure(id)) status.failed.emplace_back(i, *failure);
    } else if (begun.contains(id)) {
      ++status.stopped;
    }
  }
  const int64_t left = status.total - status.done - static_cast<int64_t>(status.failed.size());
  if (left > 0) status.seconds_left = seconds_left(done, left, folder);
  return status;
}

std::string to_text(const TaskStatus& status) {
  std::string text = fmt::format("{} of {} tasks done", status.done, status.total);
  if (status.running > 0) text += fmt::format(", {} running", status.running);
  if (!status.failed.empty()) text += fmt::format(", {} failed", status.failed.size());
  if (status.stopped > 0) text += fmt::format(", {} stopped", status.stopped);
  if (status.waiting() > 0) text += fmt::format(", {} waiting", status.waiting());
  if (status.seconds_left) text += fmt::format("; about {} left", duration(*status.seconds_left));
  return text;
}

}  // namespace polygraphy
