#include "tasks/cut_tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

namespace polygraphy {
namespace {

constexpr double kSeconds = 60;        // of a task
constexpr double kMostOverhead = 0.1;  // the part of it that may pass before its first unit
constexpr double kMostSeconds = 120;
constexpr double kMostOfLimit = 0.5;  // of the time that the queue gives to a task
// Of the units, and of them at most: the task that is timed against one of a single unit. The other
// workers wait for it: 1/32 leaves two workers 1.94 times as fast as one (cut_tasks_test.cpp).
constexpr int64_t kProbePart = 32, kMostProbe = 32;
constexpr int64_t kMostListed = 16;  // files of one task: a killed one runs them again
// Units that need no timing: each is a task. So few tasks may also start longer than they work.
constexpr int64_t kFew = 8;

constexpr std::string_view kOfRange = "..";

int64_t number_of_tasks(int64_t units, const Pace& pace, const Capacity& capacity) {
  double seconds = std::clamp(pace.start / kMostOverhead, kSeconds, kMostSeconds);
  if (capacity.seconds > 0) seconds = std::min(seconds, capacity.seconds * kMostOfLimit);
  const double inside = std::max(seconds - pace.start, seconds / 2);
  const double work = static_cast<double>(units) * pace.unit;
  const auto slots = static_cast<double>(std::max<int64_t>(capacity.slots, 1));
  double tasks = std::max(1.0, std::ceil(work / (slots * inside))) * slots;
  if (tasks > kFew)
    tasks = std::min(tasks, std::max(static_cast<double>(kFew), work / std::max(pace.start, 1e-9)));
  return static_cast<int64_t>(std::min(tasks, static_cast<double>(units)));
}

// The sums of the first 0, 1, 2 ... units. A file is as heavy as one of average size and its own
// bytes together: each costs some time whatever its size.
std::vector<double> sums_of(const TaskUnits& units, int64_t first) {
  const auto bytes = [&](int64_t unit) {
    const TaskInput& input = units.listed[static_cast<size_t>(unit)];
    auto sum = static_cast<double>(input.bytes);
    for (const TaskInput& beside : input.beside) sum += static_cast<double>(beside.bytes);
    return sum;
  };
  double average = 1;
  if (!units.listed.empty()) {
    for (int64_t i = first; i < units.size(); ++i)
      average += bytes(i) / static_cast<double>(units.size() - first);
  }
  std::vector<double> sums = {0};
  for (int64_t i = first; i < units.size(); ++i)
    sums.push_back(sums.back() + average + (units.listed.empty() ? 0 : bytes(i)));
  return sums;
}

}  // namespace

Task task_of(const TaskUnits& units, int64_t first, int64_t count) {
  Task task{.argv = {}, .units = count};
  if (units.listed.empty() && units.range_option.empty()) return task;
  if (units.listed.empty()) {
    task.argv = {units.range_option, fmt::format("{}{}{}", first, kOfRange, first + count - 1)};
    return task;
  }
  for (int64_t i = first; i < first + count; ++i) {
    const TaskInput& input = units.listed[static_cast<size_t>(i)];
    task.argv.push_back(input.path);
    task.inputs.push_back(input);
  }
  return task;
}

Task task_behind(const Task& task, int64_t units) {
  Task rest = task;
  rest.units -= units;
  if (!task.inputs.empty()) {
    rest.argv.erase(rest.argv.begin(), rest.argv.begin() + units);
    rest.inputs.erase(rest.inputs.begin(), rest.inputs.begin() + units);
  } else if (!task.argv.empty()) {
    const std::string& range = task.argv.back();
    int64_t first = 0;
    std::from_chars(range.data(), range.data() + range.size(), first);
    rest.argv.back() = std::to_string(first + units) + range.substr(range.find(kOfRange));
  }
  return rest;
}

std::vector<Task> first_tasks(const TaskUnits& units) {
  const int64_t all = units.size();
  std::vector<Task> tasks = {task_of(units, 0, 1)};
  if (all > kFew) {
    tasks.push_back(task_of(units, 1, std::clamp(all / kProbePart, int64_t{2}, kMostProbe)));
  } else {
    for (int64_t i = 1; i < all; ++i) tasks.push_back(task_of(units, i, 1));
  }
  return tasks;
}

std::vector<Task> tasks_from(const TaskUnits& units, int64_t first, const Pace& pace,
                             const Capacity& capacity) {
  const int64_t left = units.size() - first;
  const int64_t most = units.listed.empty() ? left : kMostListed;
  const std::vector<double> sums = sums_of(units, first);
  const int64_t count = std::max(number_of_tasks(left, pace, capacity), (left + most - 1) / most);
  std::vector<Task> tasks;
  int64_t begin = 0;
  for (int64_t i = 1; i <= count; ++i) {
    const double wanted = sums.back() * static_cast<double>(i) / static_cast<double>(count);
    // The boundary that is closest, of those behind the last one.
    const auto found = std::lower_bound(sums.begin() + begin, sums.end(), wanted * (1 - 1e-12));
    const int64_t end = i == count ? left : std::min<int64_t>(found - sums.begin(), left);
    for (; begin < end; begin += std::min(most, end - begin))
      tasks.push_back(task_of(units, first + begin, std::min(most, end - begin)));
  }
  return tasks;
}

}  // namespace polygraphy
