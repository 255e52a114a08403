// The host's functions, which a plugin calls: messages, errors, cancellation and limits of calls,
// and memory for outputs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/cancel.h"
#include "base/log.h"
#include "polygraphy/backend.h"
#include "polygraphy/runtimes/backend/call_limits.h"

namespace polygraphy {

class SharedHeap;

// Messages from other threads wait until the end of the call that they belong to: the Logger
// belongs to the calling thread.
class HostSide {
 public:
  // All must outlive it; `heap` may be null.
  HostSide(Logger& log, CancelToken cancel, const CallLimits& limits, SharedHeap* heap);

  // Each call of the plugin begins with it.
  void begin();
  // Each ends with one of them. The first rethrows the error of a sink of the log.
  void flush();
  void flush_quietly() noexcept;

  SharedHeap* heap() const { return heap_; }
  bool is_cancelled() const { return cancel_.flag() && cancel_.cancelled(); }
  // Throws LimitExceeded if the call exceeded its limits.
  void check_limits() const;

  pgb_host raw{};
  std::string message, hint;  // of the failed call

 private:
  struct Message {
    Severity severity;
    std::string module, text;
  };
  enum class Exceeded : uint8_t { kNothing, kTime, kMemory };

  void log(Severity severity, const char* module, const char* text);
  // From the thread that watches a call. Once true, it stays so until the next call.
  bool must_stop();

  Logger& log_;
  CancelToken cancel_;
  const CallLimits& limits_;
  SharedHeap* heap_;

  // Of the present call.
  std::thread::id owner_ = std::this_thread::get_id();
  CallLimits call_;
  std::chrono::steady_clock::time_point start_;
  uint64_t resident_ = 0;  // when the call was first looked at
  std::atomic<Exceeded> exceeded_ = Exceeded::kNothing;
  std::mutex mutex_;
  std::vector<Message> queue_;
  std::exception_ptr failure_;
};

}  // namespace polygraphy
