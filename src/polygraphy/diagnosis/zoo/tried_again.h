// Work of other processes that a signal from outside may kill, as for lack of memory: that is not a
// verdict.
#pragma once

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
      if (more == 0 || !is_killed(died)) throw;
    }
  }
}

}  // namespace polygraphy
