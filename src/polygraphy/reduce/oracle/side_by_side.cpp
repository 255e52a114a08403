#include "polygraphy/reduce/oracle/side_by_side.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "polygraphy/reduce/oracle/candidate_files.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using graphsurgeon::Model;

constexpr double kSlice = 0.05;  // seconds after which Ctrl-C is noticed
constexpr size_t kLatest = 8;    // answers that tell what the next one is likely to be

}  // namespace

SideBySide::SideBySide(Options options, const ModelFingerprints& fingerprints, const Logger& log)
    : options_(std::move(options)),
      fingerprints_(fingerprints),
      writing_(log.thresholds()),
      slots_(options_.make_check, options_.jobs, log),
      paths_(candidate_paths(options_.path, options_.jobs)) {
  for (const std::string& path : paths_) {
    if (!fs::exists(fs::symlink_status(path))) continue;
    throw Error(path + " already exists, refusing to overwrite.",
                "With --jobs, candidates are written to files like this one: move it away, or give "
                "another name with --iter-artifact or another folder with --work-dir.");
  }
}

SideBySide::~SideBySide() {
  slots_.stop_all();
  for (const Task& task : tasks_) {
    if (task.slot) remove_candidate(path_of(*task.slot));
  }
}

SideBySide::Task* SideBySide::find(const Checked& checked) {
  const auto found = std::find_if(tasks_.begin(), tasks_.end(),
                                  [&](const Task& task) { return task.checked == checked; });
  return found == tasks_.end() ? nullptr : &*found;
}

SideBySide::Task& SideBySide::start(int slot, const Checked& checked, const Model& candidate) {
  const std::string& path = path_of(slot);
  options_.write(candidate, path, writing_.log());
  std::vector<KeptMessage> messages = writing_.take();
  for (KeptMessage& message : messages) {
    // As if it were the only one.
    const size_t at = message.text.find(path);
    if (at != std::string::npos) message.text.replace(at, path.size(), options_.path);
  }
  slots_.start(slot, path);
  tasks_.push_back(
      {.checked = checked, .writing = std::move(messages), .slot = slot, .outcome = {}});
  return tasks_.back();
}

void SideBySide::begin(const Checked& checked, const Question& question, const Model& candidate,
                       Logger& log) {
  collect();
  Task* task = find(checked);
  if (!task) task = &start(*room(nullptr, {}), checked, candidate);
  made_[question.key] = {checked.model, question.again ? 1 : 0};
  changed_ = true;
  log_kept(task->writing, log);
}

Verdict SideBySide::verdict(const Checked& checked, Logger& log) {
  Task* task = find(checked);
  while (true) {
    collect();
    if (task->outcome) break;
    fill(*task);
    slots_.wait(kSlice);
    if (options_.cancel && *options_.cancel) {
      slots_.stop_all();
      throw Interrupted();
    }
  }
  const CheckSlots::Outcome outcome = std::move(*task->outcome);
  tasks_.remove_if([&](const Task& other) { return &other == task; });
  log_kept(outcome.messages, log);
  if (outcome.error) std::rethrow_exception(outcome.error);
  latest_.push_front(options_.fails(outcome.verdict));
  if (latest_.size() > kLatest) latest_.pop_back();
  return outcome.verdict;
}

void SideBySide::collect() {
  size_t over = 0;
  for (Task& task : tasks_) {
    if (task.slot) {
      task.outcome = slots_.take(*task.slot);
      if (!task.outcome) continue;
      remove_candidate(path_of(*task.slot));
      task.slot.reset();
      changed_ = true;
      if (!task.outcome->error) options_.learned(task.checked, task.outcome->verdict);
    }
    ++over;
  }
  // What nobody has asked for is not kept for ever.
  const size_t most = 16 * static_cast<size_t>(options_.jobs);
  for (auto task = tasks_.begin(); task != tasks_.end() && over > most;) {
    const bool goes = task->outcome.has_value();
    task = goes ? tasks_.erase(task) : std::next(task);
    over -= goes ? 1 : 0;
  }
}

// A free slot, one that does nothing wanted if need be. `wanted`: candidates.
std::optional<int> SideBySide::room(const Task* needed, const std::set<Fingerprint>& wanted) {
  if (const auto slot = slots_.free_slot()) return slot;
  for (auto task = tasks_.rbegin(); task != tasks_.rend(); ++task) {
    if (!task->slot || &*task == needed || wanted.contains(task->checked.model)) continue;
    const int slot = *task->slot;
    slots_.stop(slot);
    remove_candidate(path_of(slot));
    tasks_.erase(std::next(task).base());
    return slot;
  }
  return std::nullopt;
}

// One try; nullopt: there is no verdict yet.
std::optional<bool> SideBySide::failed(const Checked& checked) {
  if (const Verdict* verdict = options_.known(checked)) return options_.fails(*verdict);
  const Task* task = find(checked);
  if (!task || !task->outcome || task->outcome->error) return std::nullopt;
  return options_.fails(task->outcome->verdict);
}

// The next one that has no verdict, unless one before it has failed, or it is one too many.
std::optional<Checked> SideBySide::open_try(const Checked& first) {
  for (int i = 0; i < options_.tries(); ++i) {
    Checked checked = first;
    checked.time += i;
    const std::optional<bool> fails = failed(checked);
    if (!fails) return checked;
    if (*fails) break;
  }
  return std::nullopt;
}

std::optional<bool> SideBySide::answer(const std::string& key) {
  if (const auto known = options_.answered(key)) return known;
  const auto made = made_.find(key);
  if (made == made_.end() || open_try(made->second)) return std::nullopt;
  for (int i = 0; i < options_.tries(); ++i) {
    Checked checked = made->second;
    checked.time += i;
    if (failed(checked) == true) return true;
  }
  return false;
}

double SideBySide::fail_rate() const {
  const auto failed = static_cast<double>(std::count(latest_.begin(), latest_.end(), true));
  return (failed + 1.1) / (static_cast<double>(latest_.size()) + 2);
}

void SideBySide::fill(const Task& needed) {
  if (!search_) return;
  while (std::exchange(changed_, false)) {
    const Lookahead lookahead(search_, [this](const std::string& key) { return answer(key); });
    const auto open = lookahead.next(static_cast<size_t>(options_.jobs), fail_rate());
    std::set<Fingerprint> wanted;
    for (const Lookahead::Open& question : open) {
      const auto made = made_.find(question.key);
      if (made != made_.end()) wanted.insert(made->second.model);
    }
    for (const Lookahead::Open& question : open) {
      if (!fill(needed, lookahead, question, wanted)) return;
    }
  }
}

// With a check for this question, if it needs one. False: there is no room.
bool SideBySide::fill(const Task& needed, const Lookahead& lookahead,
                      const Lookahead::Open& question, const std::set<Fingerprint>& wanted) {
  const auto made = made_.find(question.key);
  if (made != made_.end()) {
    const std::optional<Checked> next = open_try(made->second);
    if (!next || find(*next)) return true;
  } else if (not_made_.contains(question.key)) {
    return true;
  }
  const std::optional<int> slot = room(&needed, wanted);
  if (!slot) return false;
  std::optional<Model> candidate;
  Checked first;
  lookahead.make(question, [&](const Question& asked, Model model) {
    first = {fingerprints_.of(model), asked.again ? 1 : 0};
    candidate = std::move(model);
  });
  if (!candidate) {
    not_made_.insert(question.key);
    return true;
  }
  made_[question.key] = first;
  const std::optional<Checked> next = open_try(first);
  if (!next) {
    changed_ = true;
  } else if (!find(*next)) {
    start(*slot, *next, *candidate);
  }
  return true;
}

}  // namespace polygraphy
