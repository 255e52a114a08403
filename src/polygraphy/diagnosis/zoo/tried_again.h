// Work of other processes that a signal from outside may kill, as for lack of memory: that is not a
// verdict.
#pragma once

#include "base/os/exit_status.h"
#include "polygraphy/runtimes/worker/worker_client.h"

namespace polygraphy {

// The result of step(), which runs up to three times: again where a signal from outside has ended
// its process. Throws what the last one throws.
template <typename Step>
auto tried_again(Step step) {
  for (int more = 2;; --more) {
    try {
      return step();
    } catch (const WorkerDied& died) {
      if (more == 0 || !ended_from_outside(died.status())) throw;
    }
  }
}

// A signal from outside has ended a process.
inline bool is_killed(const Error& error) {
  const auto* died = dynamic_cast<const WorkerDied*>(&error);
  return died && ended_from_outside(died->status());
}

}  // namespace polygraphy
