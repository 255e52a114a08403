#include "tasks/scheduler.h"

#include <fmt/format.h>

#include <charconv>

#include "base/fingerprint.h"
#include "base/near_names.h"
#include "base/os/atomic_file.h"
#include "base/text.h"

namespace polygraphy {
namespace {

constexpr char kBetween = ',';  // values of a list: no setting has a comma

std::vector<std::string_view> names_of_schedulers() {
  std::vector<std::string_view> names;
  for (const Scheduler* scheduler : schedulers()) names.push_back(scheduler->name);
  return names;
}

std::vector<std::string_view> names_of_settings(const Scheduler& scheduler) {
  std::vector<std::string_view> names;
  for (const SchedulerSetting& setting : scheduler.settings) names.push_back(setting.name);
  return names;
}

const Scheduler& find(std::string_view name) {
  for (const Scheduler* scheduler : schedulers()) {
    if (scheduler->name == name) return *scheduler;
  }
  const auto names = names_of_schedulers();
  throw Error(kBadSchedule, fmt::format("There is no scheduler '{}'", name),
              unknown_name_hint(name, names, "Schedulers"));
}

void add_setting(std::string_view text, const Scheduler& scheduler,
                 OrderedMap<std::string>& settings) {
  const size_t equal = text.find('=');
  const bool named = equal != text.npos;
  if (!named && (scheduler.settings.empty() || !settings.empty())) {
    throw Error(kBadSchedule, fmt::format("{}: unknown setting '{}'", scheduler.name, text),
                "A setting is NAME=VALUE.");
  }
  const std::string_view name = named ? text.substr(0, equal) : scheduler.settings.front().name;
  const auto names = names_of_settings(scheduler);
  const auto known = std::find(names.begin(), names.end(), name);
  if (known == names.end()) {
    throw Error(kBadSchedule, fmt::format("{} has no setting '{}'", scheduler.name, name),
                unknown_name_hint(name, names, "Settings"));
  }
  std::string value(named ? text.substr(equal + 1) : text);
  if (value.empty())
    throw Error(kBadSchedule, fmt::format("{}: '{}' has no value", scheduler.name, name));
  const auto kind = scheduler.settings[static_cast<size_t>(known - names.begin())].kind;
  if (const std::string* before = settings.find(name);
      before && kind == SchedulerSetting::Kind::kList)
    value = *before + kBetween + value;
  settings.set(std::string(name), std::move(value));
  if (kind == SchedulerSetting::Kind::kNumber) static_cast<void>(number_of(settings, name, 1));
}

}  // namespace

Schedule parse_schedule(std::string_view text) {
  const size_t colon = text.find(':');
  Schedule schedule{&find(text.substr(0, colon))};
  if (colon == text.npos) return schedule;
  for (const std::string_view part : split(text.substr(colon + 1), ',')) {
    if (!part.empty()) add_setting(part, *schedule.scheduler, schedule.settings);
  }
  return schedule;
}

Allocation allocation_of(const Schedule& schedule, const Variable& variable) {
  const Scheduler& scheduler = *schedule.scheduler;
  if (scheduler.allocation) return scheduler.allocation(schedule.settings, variable);
  throw Error(
      kNoAllocation,
      fmt::format("{} puts tasks into a queue, but a search needs the verdict on a candidate "
                  "before it makes the next one",
                  scheduler.name));
}

int64_t number_of(const OrderedMap<std::string>& settings, std::string_view name,
                  int64_t otherwise) {
  const std::string* text = settings.find(name);
  if (!text) return otherwise;
  int64_t number = 0;
  const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (failed == std::errc() && end == text->data() + text->size() && number > 0) return number;
  throw Error(kBadSchedule, fmt::format("{}={}: this is not a positive number", name, *text));
}

std::vector<std::string_view> values_of(const OrderedMap<std::string>& settings,
                                        std::string_view name) {
  const std::string* all = settings.find(name);
  return all ? split(*all, kBetween) : std::vector<std::string_view>();
}

std::vector<std::string> worker_words(const Submission& submission, const std::string& tasks) {
  std::vector<std::string> words = {submission.executable,  "task",    "run", "--plan",
                                    submission.plan.path(), "--index", tasks};
  if (!submission.cache.empty()) words.insert(words.end() - 2, {"--cache", submission.cache});
  return words;
}

std::vector<std::string> task_lists(std::span<const int64_t> tasks, int64_t parts) {
  std::vector<std::string> lists;
  const auto count = static_cast<int64_t>(tasks.size());
  for (int64_t part = 0, i = 0; part < parts; ++part) {
    std::string list;
    for (const int64_t end = count * (part + 1) / parts; i < end;) {
      const int64_t first = tasks[static_cast<size_t>(i)];
      int64_t last = first;
      while (++i < end && tasks[static_cast<size_t>(i)] == last + 1) ++last;
      list += list.empty() ? "" : ",";
      list += first == last ? std::to_string(first) : fmt::format("{}..{}", first, last);
    }
    if (!list.empty()) lists.push_back(std::move(list));
  }
  return lists;
}

std::string write_task_lists(const TaskFolder& folder, std::span<const std::string> lists) {
  const std::string text = join(lists, "\n") + "\n";
  std::string path = fmt::format("{}/lists/{}", folder.path(), fingerprint(text).text());
  write_file(path, text, Durability::kNone);
  return path;
}

}  // namespace polygraphy
