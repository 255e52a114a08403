// Letting a command finish what it must when the user presses Ctrl-C.
#pragma once

#include "base/error.h"
#include "cli/environment.h"

namespace polygraphy::cli {

// What says that the user has pressed Ctrl-C; null: nobody can.
inline const std::atomic<bool>* cancel_flag(const Environment& env) {
  return env.interrupts ? &env.interrupts->requested : nullptr;
}

// While this lives, the first Ctrl-C only sets the flag that long calls look at; a second one ends
// the process all the same.
class DeferredInterrupts {
 public:
  explicit DeferredInterrupts(Environment& env) : interrupts_(env.interrupts) {
    if (interrupts_) interrupts_->deferred = true;
  }
  ~DeferredInterrupts() {
    if (interrupts_) interrupts_->deferred = false;
  }
  DeferredInterrupts(const DeferredInterrupts&) = delete;
  DeferredInterrupts& operator=(const DeferredInterrupts&) = delete;

  // A request that came too late for anyone to notice still decides the exit code.
  void check() const {
    if (interrupts_ && interrupts_->requested) throw Interrupted();
  }

 private:
  Interrupts* interrupts_;
};

}  // namespace polygraphy::cli
