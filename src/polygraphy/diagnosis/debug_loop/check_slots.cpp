#include "polygraphy/diagnosis/debug_loop/check_slots.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace polygraphy {

struct CheckSlots::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  MessageKeeper::Thresholds thresholds;
};

// The mutex is held for all but `cancel`, and for what belongs to the slot's own thread.
struct CheckSlots::Slot {
  enum class State { kFree, kMaking, kRunning, kOver, kEnding };
  State state = State::kFree;
  std::string artifact;
  MakeArtifact make;
  Outcome outcome;
  std::exception_ptr not_made;
  std::atomic<bool> cancel = false;
  std::thread thread;
};

CheckSlots::CheckSlots(MakeCheck make, int count, const Logger& like)
    : make_(std::move(make)), shared_(std::make_unique<Shared>()) {
  shared_->thresholds = like.thresholds();
  for (int i = 0; i < count; ++i) slots_.push_back(std::make_unique<Slot>());
}

CheckSlots::~CheckSlots() {
  stop_all();
  {
    const std::lock_guard lock(shared_->mutex);
    for (const auto& slot : slots_) slot->state = Slot::State::kEnding;
    shared_->changed.notify_all();
  }
  for (const auto& slot : slots_) {
    if (slot->thread.joinable()) slot->thread.join();
  }
}

std::optional<int> CheckSlots::free_slot() const {
  const std::lock_guard lock(shared_->mutex);
  for (size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i]->state == Slot::State::kFree) return static_cast<int>(i);
  }
  return std::nullopt;
}

void CheckSlots::start(int number, const std::string& artifact, MakeArtifact make) {
  Slot& slot = *slots_[static_cast<size_t>(number)];
  std::unique_lock lock(shared_->mutex);
  slot.artifact = artifact;
  slot.make = std::move(make);
  slot.outcome = {};
  slot.not_made = nullptr;
  slot.cancel = false;
  slot.state = Slot::State::kMaking;
  if (!slot.thread.joinable()) {
    slot.thread = std::thread([this, &slot] { work(slot); });
  }
  shared_->changed.notify_all();
  // Making a check may use what belongs to our thread.
  shared_->changed.wait(lock, [&] { return slot.state != Slot::State::kMaking; });
  if (slot.not_made) std::rethrow_exception(slot.not_made);
}

std::optional<CheckSlots::Outcome> CheckSlots::take(int number) {
  Slot& slot = *slots_[static_cast<size_t>(number)];
  const std::lock_guard lock(shared_->mutex);
  if (slot.state != Slot::State::kOver) return std::nullopt;
  slot.state = Slot::State::kFree;
  return std::move(slot.outcome);
}

void CheckSlots::stop(int number) {
  Slot& slot = *slots_[static_cast<size_t>(number)];
  std::unique_lock lock(shared_->mutex);
  if (slot.state == Slot::State::kFree) return;
  slot.cancel = true;
  shared_->changed.wait(lock, [&] { return slot.state == Slot::State::kOver; });
  slot.state = Slot::State::kFree;
  slot.outcome = {};
}

void CheckSlots::stop_all() {
  for (const auto& slot : slots_) slot->cancel = true;
  for (int i = 0; i < count(); ++i) stop(i);
}

void CheckSlots::wait(double seconds) {
  std::unique_lock lock(shared_->mutex);
  shared_->changed.wait_for(lock, std::chrono::duration<double>(seconds), [&] {
    for (const auto& slot : slots_) {
      if (slot->state == Slot::State::kOver) return true;
    }
    return false;
  });
}

// The thread of a slot: processes that a check starts end with it.
void CheckSlots::work(Slot& slot) {
  MessageKeeper messages(shared_->thresholds);
  std::unique_ptr<Check> check;
  std::unique_lock lock(shared_->mutex);
  while (true) {
    shared_->changed.wait(lock, [&] {
      return slot.state == Slot::State::kMaking || slot.state == Slot::State::kEnding;
    });
    if (slot.state == Slot::State::kEnding) return;
    if (!check) {
      lock.unlock();
      std::exception_ptr error;
      try {
        check = make_(messages.log(), &slot.cancel);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error) {
        slot.not_made = error;
        slot.state = Slot::State::kFree;
        shared_->changed.notify_all();
        continue;
      }
    }
    slot.state = Slot::State::kRunning;
    shared_->changed.notify_all();
    const std::string artifact = slot.artifact;
    const MakeArtifact make = std::move(slot.make);
    lock.unlock();
    Outcome outcome;
    try {
      outcome.made = !make || make(messages.log(), &slot.cancel);
      if (outcome.made) outcome.verdict = check->run(artifact);
    } catch (...) {
      outcome.error = std::current_exception();
    }
    lock.lock();
    outcome.messages = messages.take();
    slot.outcome = std::move(outcome);
    slot.state = Slot::State::kOver;
    shared_->changed.notify_all();
  }
}

}  // namespace polygraphy
