#include "polygraphy/runtimes/backend/host_side.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "base/os/process_memory.h"
#include "base/size_text.h"
#include "polygraphy/runtimes/backend/shared_heap.h"

namespace polygraphy {

HostSide::HostSide(Logger& log, CancelToken cancel, const CallLimits& limits, SharedHeap* heap)
    : log_(log), cancel_(cancel), limits_(limits), heap_(heap) {
  raw.struct_size = sizeof(raw);
  raw.context = this;
  raw.log = [](void* self, pgb_severity severity, const char* module, const char* text) {
    static_cast<HostSide*>(self)->log(static_cast<Severity>(severity), module, text);
  };
  raw.log_enabled = [](void* self, pgb_severity severity, const char* module) -> int {
    return static_cast<HostSide*>(self)->log_.enabled(static_cast<Severity>(severity), module);
  };
  raw.set_error = [](void* self, const char* what, const char* to_do) {
    static_cast<HostSide*>(self)->message = what ? what : "";
    static_cast<HostSide*>(self)->hint = to_do ? to_do : "";
  };
  if (cancel.flag() || limits.any()) {
    raw.cancelled = [](void* self) -> int { return static_cast<HostSide*>(self)->must_stop(); };
  }
  if (heap) {
    raw.allocate = [](void* self, size_t bytes, size_t alignment) {
      return static_cast<HostSide*>(self)->heap_->allocate_any(bytes, alignment);
    };
    raw.deallocate = [](void* self, void* memory) {
      static_cast<HostSide*>(self)->heap_->free_any(memory);
    };
  }
}

void HostSide::begin() {
  owner_ = std::this_thread::get_id();
  exceeded_ = Exceeded::kNothing;
  call_ = limits_;
  resident_ = 0;
  if (call_.any()) start_ = std::chrono::steady_clock::now();
}

void HostSide::log(Severity severity, const char* module, const char* text) {
  if (std::this_thread::get_id() == owner_) {
    // A sink that throws (its file is full, say) must not throw through the runtime.
    try {
      log_.log(severity, module, text);
    } catch (...) {
      failure_ = std::current_exception();
    }
  } else {
    const std::lock_guard lock(mutex_);
    queue_.push_back({severity, module, text});
  }
}

void HostSide::flush() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  std::vector<Message> messages;
  {
    const std::lock_guard lock(mutex_);
    messages.swap(queue_);
  }
  for (const Message& each : messages) log_.log(each.severity, each.module, each.text);
}

void HostSide::flush_quietly() noexcept {
  try {
    flush();
  } catch (...) {  // destructors call this, and must not throw
  }
}

void HostSide::check_limits() const {
  if (exceeded_ == Exceeded::kTime)
    throw LimitExceeded(fmt::format("stopped, since it took more than {:g} s", call_.seconds));
  if (exceeded_ == Exceeded::kMemory) {
    throw LimitExceeded(fmt::format("stopped, since it took more than {} of memory",
                                    size_text(static_cast<int64_t>(call_.bytes))));
  }
}

bool HostSide::must_stop() {
  if (is_cancelled() || exceeded_ != Exceeded::kNothing) return true;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  if (call_.seconds > 0 && passed.count() > call_.seconds) exceeded_ = Exceeded::kTime;
  if (call_.bytes > 0) {
    // At the start of a call it would cost more than most calls take.
    const uint64_t resident = own_resident_memory();
    if (resident_ == 0) resident_ = resident;
    if (resident > resident_ + call_.bytes) exceeded_ = Exceeded::kMemory;
  }
  return exceeded_ != Exceeded::kNothing;
}

}  // namespace polygraphy
