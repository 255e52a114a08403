#include "polygraphy/runtimes/worker/kept_workers.h"

#include <algorithm>
#include <utility>

namespace polygraphy {

std::unique_ptr<WorkerClient> KeptWorkers::take(const WorkerClient& wanted) {
  const auto found = std::ranges::find_if(
      workers_, [&](const auto& worker) { return worker->has_library_of(wanted); });
  if (found == workers_.end()) return nullptr;
  std::unique_ptr<WorkerClient> worker = std::move(*found);
  workers_.erase(found);
  worker->serve(wanted);
  return worker;
}

void KeptWorkers::keep(std::unique_ptr<WorkerClient> worker) {
  worker->log_to(quiet_);
  workers_.push_back(std::move(worker));
}

}  // namespace polygraphy
