// Stops a long call into a runtime when the host cancels it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "common/plugin.h"

namespace pgb {

// A separate thread polls every 20 ms whether the host cancels; a host that never cancels needs no
// thread. Entering and leaving a watched call costs two uncontended locks.
class CancelWatch {
 public:
  explicit CancelWatch(Host host) : host_(host) {
    if (host_.cancellable()) thread_ = std::thread([this] { run(); });
  }
  ~CancelWatch() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  CancelWatch(const CancelWatch&) = delete;
  CancelWatch& operator=(const CancelWatch&) = delete;

  // Runs `call`; `cancel` (from the watching thread, once) should make it return early.
  template <typename Call>
  void during(std::function<void()> cancel, Call&& call) {
    set(std::move(cancel));
    try {
      call();
    } catch (...) {
      set(nullptr);
      throw;
    }
    set(nullptr);
  }

 private:
  void set(std::function<void()> cancel) {
    if (!thread_.joinable()) return;
    const std::lock_guard lock(mutex_);
    cancel_ = std::move(cancel);
  }
  void run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      wake_.wait_for(lock, std::chrono::milliseconds(20));
      if (cancel_ && host_.is_cancelled()) std::exchange(cancel_, nullptr)();
    }
  }

  Host host_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::function<void()> cancel_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace pgb
