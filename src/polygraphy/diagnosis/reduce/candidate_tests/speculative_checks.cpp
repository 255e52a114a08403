#include "polygraphy/diagnosis/reduce/candidate_tests/speculative_checks.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_files.h"
#include "polygraphy/diagnosis/reduce/candidate_tests/candidate_round.h"

namespace polygraphy {
namespace {

namespace fs = std::filesystem;
using graphsurgeon::Model;

constexpr double kSlice = 0.05;  // seconds after which Ctrl-C is noticed
constexpr size_t kLatest = 8;    // answers that tell what the next one is likely to be

}  // namespace

SpeculativeChecks::SpeculativeChecks(Options options, const ModelFingerprints& fingerprints,
                                     const Logger& log)
    : options_(std::move(options)),
      fingerprints_(fingerprints),
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

SpeculativeChecks::~SpeculativeChecks() {
  slots_.stop_all();
  for (const Task& task : tasks_) {
    if (task.slot) remove_candidate(path_of(*task.slot));
  }
}

SpeculativeChecks::Task* SpeculativeChecks::find(const Checked& checked) {
  const auto found = std::find_if(tasks_.begin(), tasks_.end(),
                                  [&](const Task& task) { return task.checked == checked; });
  return found == tasks_.end() ? nullptr : &*found;
}

SpeculativeChecks::Task& SpeculativeChecks::start(int slot, const Checked& checked,
                                                  const Model& model) {
  const std::string& path = path_of(slot);
  options_.write(model, path, writing_.log());
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

void SpeculativeChecks::begin(const Checked& checked, const Candidate& candidate,
                              const Model& model, Logger& log) {
  collect();
  Task* task = find(checked);
  if (!task) task = &start(*room(nullptr, {}), checked, model);
  made_[candidate.key] = {checked.model, candidate.again ? 1 : 0};
  changed_ = true;
  log_kept(task->writing, log);
}

Verdict SpeculativeChecks::verdict(const Checked& checked, Logger& log) {
  Task* task = find(checked);
  while (true) {
    collect();
    if (task->outcome) break;
    fill(*task);
    slots_.wait(kSlice);
    if (options_.cancel.cancelled()) {
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

void SpeculativeChecks::collect() {
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
std::optional<int> SpeculativeChecks::room(const Task* needed,
                                           const std::set<Fingerprint>& wanted) {
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
std::optional<bool> SpeculativeChecks::failed(const Checked& checked) {
  if (const Verdict* verdict = options_.known(checked)) return options_.fails(*verdict);
  const Task* task = find(checked);
  if (!task || !task->outcome || task->outcome->error) return std::nullopt;
  return options_.fails(task->outcome->verdict);
}

// The next one that has no verdict, unless one before it has failed, or it is one too many.
std::optional<Checked> SpeculativeChecks::open_try(const Checked& first) {
  for (int i = 0; i < options_.tries(); ++i) {
    Checked checked = first;
    checked.time += i;
    const std::optional<bool> fails = failed(checked);
    if (!fails) return checked;
    if (*fails) break;
  }
  return std::nullopt;
}

std::optional<bool> SpeculativeChecks::answer(const std::string& key) {
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

double SpeculativeChecks::fail_rate() const {
  const auto failed = static_cast<double>(std::count(latest_.begin(), latest_.end(), true));
  return (failed + 1.1) / (static_cast<double>(latest_.size()) + 2);
}

void SpeculativeChecks::fill(const Task& needed) {
  if (!search_) return;
  while (std::exchange(changed_, false)) {
    const Lookahead lookahead(search_, [this](const std::string& key) { return answer(key); });
    const auto open = lookahead.next(static_cast<size_t>(options_.jobs), fail_rate());
    std::set<Fingerprint> wanted;
    for (const Lookahead::Open& each : open) {
      const auto made = made_.find(each.key);
      if (made != made_.end()) wanted.insert(made->second.model);
    }
    for (const Lookahead::Open& each : open) {
      if (!fill(needed, lookahead, each, wanted)) return;
    }
  }
}

// With a check for this candidate, if it needs one. False: there is no room.
bool SpeculativeChecks::fill(const Task& needed, const Lookahead& lookahead,
                             const Lookahead::Open& open, const std::set<Fingerprint>& wanted) {
  const auto made = made_.find(open.key);
  if (made != made_.end()) {
    const std::optional<Checked> next = open_try(made->second);
    if (!next || find(*next)) return true;
  } else if (not_made_.contains(open.key)) {
    return true;
  }
  const std::optional<int> slot = room(&needed, wanted);
  if (!slot) return false;
  std::optional<Model> model;
  Checked first;
  lookahead.make(open, [&](const Candidate& candidate, Model fresh) {
    first = {fingerprints_.of(fresh), candidate.again ? 1 : 0};
    model = std::move(fresh);
  });
  if (!model) {
    not_made_.insert(open.key);
    return true;
  }
  made_[open.key] = first;
  const std::optional<Checked> next = open_try(first);
  if (!next) {
    changed_ = true;
  } else if (!find(*next)) {
    start(*slot, *next, *model);
  }
  return true;
}

}  // namespace polygraphy
