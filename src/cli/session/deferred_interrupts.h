// Defers Ctrl-C, so that a command can stop at a safe point.
#pragma once

#include "base/cancel.h"
#include "base/error.h"
#include "cli/session/environment.h"

namespace polygraphy::cli {

// Cancelled by Ctrl-C; never, if the environment has no interrupts.
inline CancelToken cancel_token(const Environment& env) {
  return env.interrupts ? CancelToken(env.interrupts->requested) : CancelToken();
}

// `kAll`: Interrupts::all_signals.
enum class DeferredSignals { kInterrupt, kAll };

// While this lives, the first Ctrl-C only sets the flag that long calls look at; a second one ends
// the process all the same.
class DeferredInterrupts {
 public:
  explicit DeferredInterrupts(Environment& env,
                              DeferredSignals signals = DeferredSignals::kInterrupt)
      : interrupts_(env.interrupts) {
    if (!interrupts_) return;
    interrupts_->all_signals = signals == DeferredSignals::kAll;
    interrupts_->deferred = true;
  }
  ~DeferredInterrupts() {
    if (interrupts_) interrupts_->deferred = interrupts_->all_signals = false;
  }
  DeferredInterrupts(const DeferredInterrupts&) = delete;
  DeferredInterrupts& operator=(const DeferredInterrupts&) = delete;

  // Throws Interrupted for a request that no call has noticed: it still decides the exit code.
  void check() const {
    if (interrupts_ && interrupts_->requested) throw Interrupted();
  }

 private:
  Interrupts* interrupts_;
};

}  // namespace polygraphy::cli
