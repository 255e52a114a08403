#include "tasks/scheduler.h"

#include <fmt/format.h>

#include <charconv>

#include "base/near_names.h"
#include "base/text.h"

namespace polygraphy {
namespace {

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
    throw Error(kBadSchedule, fmt::format("{}: '{}' is no setting", scheduler.name, text),
                "A setting is NAME=VALUE.");
  }
  const std::string_view name = named ? text.substr(0, equal) : scheduler.settings.front().name;
  const auto names = names_of_settings(scheduler);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw Error(kBadSchedule, fmt::format("{} has no setting '{}'", scheduler.name, name),
                unknown_name_hint(name, names, "Settings"));
  }
  const std::string_view value = named ? text.substr(equal + 1) : text;
  if (value.empty())
    throw Error(kBadSchedule, fmt::format("{}: '{}' has no value", scheduler.name, name));
  settings.set(std::string(name), std::string(value));
}

}  // namespace

Schedule parse_schedule(std::string_view text) {
  const size_t colon = text.find(':');
  Schedule schedule{&find(text.substr(0, colon))};
  if (colon == text.npos) return schedule;
  for (const std::string_view part : split(text.substr(colon + 1), ',')) {
    if (!part.empty()) add_setting(part, *schedule.scheduler, schedule.settings);
  }
  if (schedule.scheduler->slots)
    static_cast<void>(schedule.scheduler->slots(schedule.settings));  // its numbers are numbers
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

std::vector<std::string> worker_words(const Submission& submission, const std::string& first,
                                      const std::string& last) {
  std::vector<std::string> words = {submission.executable,
                                    "task",
                                    "run",
                                    "--plan",
                                    submission.plan.path(),
                                    "--index",
                                    first == last ? first : first + ".." + last};
  if (!submission.cache.empty()) words.insert(words.end() - 2, {"--cache", submission.cache});
  return words;
}

}  // namespace polygraphy
