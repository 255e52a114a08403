#include "polygraphy/diagnosis/reduce/candidate_tests/batch_checks.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_files.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;

constexpr double kSlice = 0.05;  // seconds after which Ctrl-C is noticed
// Outcomes that are kept for later, for each slot.
constexpr size_t kKept = 16;

}  // namespace

BatchChecks::BatchChecks(Options options, const Logger& log)
    : options_(std::move(options)),
      writing_(log.thresholds()),
      slots_(options_.make_check, options_.jobs, log),
      paths_(candidate_paths(options_.path, options_.jobs)) {
  for (const std::string& path : paths_) {
    if (!fs::exists(fs::symlink_status(path))) continue;
    throw Error(kCandidateFileInTheWay, path + " already exists, refusing to overwrite.",
                "Parallel checks write their candidates to files like this one: move the file, or "
                "give another name or folder.");
  }
}

BatchChecks::~BatchChecks() {
  slots_.stop_all();
  for (const Task& task : tasks_) {
    if (task.slot) remove_candidate(path_of(*task.slot));
  }
}

BatchChecks::Tasks::iterator BatchChecks::find(const Checked& checked) {
  return std::ranges::find(tasks_, checked, &Task::checked);
}

bool BatchChecks::is_over(const Checked& checked) {
  const auto task = find(checked);
  return task != tasks_.end() && task->outcome;
}

// A free slot, or one that does nothing wanted.
int BatchChecks::make_room(const std::set<Checked>& wanted) {
  if (const auto slot = slots_.free_slot()) return *slot;
  const auto unwanted = std::ranges::find_if(
      tasks_, [&](const Task& task) { return task.slot && !wanted.contains(task.checked); });
  const int slot = *unwanted->slot;
  slots_.stop(slot);
  remove_candidate(path_of(slot));
  tasks_.erase(unwanted);
  return slot;
}

// `wanted`: fewer than there are slots.
BatchChecks::Tasks::iterator BatchChecks::start(const Try& what, const std::set<Checked>& wanted) {
  const int slot = make_room(wanted);
  const std::string& path = path_of(slot);
  options_.write(*what.model, path, writing_.log());
  std::vector<KeptMessage> messages = writing_.take();
  for (KeptMessage& message : messages) {
    // As if it were the only one.
    const size_t at = message.text.find(path);
    if (at != std::string::npos) message.text.replace(at, path.size(), options_.path);
  }
  slots_.start(slot, path);
  return tasks_.insert(
      tasks_.end(),
      {.checked = what.checked, .writing = std::move(messages), .slot = slot, .outcome = {}});
}

void BatchChecks::begin(const Try& needed, Logger& log) {
  collect();
  auto task = find(needed.checked);
  if (task == tasks_.end()) task = start(needed, {});
  log_kept(task->writing, log);
}

CheckResult BatchChecks::verdict(const Checked& needed, const Upcoming<Try>& next, Logger& log) {
  std::vector<Try> batch;
  while (true) {
    collect();
    if (is_over(needed)) break;
    fill(needed, batch, next);
    slots_.wait(kSlice);
    if (options_.cancel.cancelled()) {
      slots_.stop_all();
      throw Interrupted();
    }
  }
  const auto task = find(needed);
  const CheckSlots::Outcome outcome = *std::move(task->outcome);
  tasks_.erase(task);
  log_kept(outcome.messages, log);
  if (outcome.error) std::rethrow_exception(outcome.error);
  return outcome.verdict;
}

void BatchChecks::collect() {
  size_t over = 0;
  for (Task& task : tasks_) {
    if (task.slot) {
      task.outcome = slots_.take(*task.slot);
      if (!task.outcome) continue;
      remove_candidate(path_of(*task.slot));
      task.slot.reset();
    }
    ++over;
  }
  const size_t most = kKept * static_cast<size_t>(options_.jobs);
  for (auto task = tasks_.begin(); task != tasks_.end() && over > most;) {
    const bool goes = task->outcome.has_value();
    task = goes ? tasks_.erase(task) : std::next(task);
    over -= goes ? 1 : 0;
  }
}

// Fills the free slots with unfinished tries of the batch: as many tries as slots, except for the
// one that is needed.
void BatchChecks::fill(const Checked& needed, std::vector<Try>& batch, const Upcoming<Try>& next) {
  std::set<Checked> wanted = {needed};
  const auto want = [&](const Try& each) {
    if (!is_over(each.checked)) wanted.insert(each.checked);
  };
  std::ranges::for_each(batch, want);
  const auto slots = static_cast<size_t>(slots_.count());
  while (wanted.size() < slots) {
    std::optional<Try> another = take_next(next);
    if (!another) break;
    want(batch.emplace_back(*std::move(another)));
  }
  for (const Try& each : batch) {
    if (wanted.contains(each.checked) && find(each.checked) == tasks_.end()) start(each, wanted);
  }
}

}  // namespace polygraphy
