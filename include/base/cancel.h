// Cancellation of long work.
#pragma once

#include <atomic>

#include "base/error.h"

namespace polygraphy {

// A flag that stops long work. Copies share it.
class CancelToken {
 public:
  CancelToken() = default;  // never cancelled
  // Cancelled when `flag` is true, which any thread or a signal handler may set; must outlive the
  // token. Null: never cancelled.
  CancelToken(const std::atomic<bool>* flag) : flag_(flag) {}
  CancelToken(const std::atomic<bool>& flag) : flag_(&flag) {}

  bool cancelled() const { return flag_ && *flag_; }
  // Throws Interrupted when cancelled.
  void check() const {
    if (cancelled()) throw Interrupted();
  }
  // Null: never cancelled.
  const std::atomic<bool>* flag() const { return flag_; }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace polygraphy
