// Processes of runners that are no longer active, for runners of other models on the same library.
#pragma once

#include <memory>
#include <vector>

#include "base/log.h"
#include "polygraphy/runtimes/worker/worker_client.h"

namespace polygraphy {

// One thread.
class KeptWorkers {
 public:
  // A running process that opened the library of `wanted`, with its request and messages to its
  // log; null: no process has it.
  std::unique_ptr<WorkerClient> take(const WorkerClient& wanted);
  // A running process that has let go of its model.
  void keep(std::unique_ptr<WorkerClient> worker);

 private:
  Logger quiet_;  // of those that wait
  std::vector<std::unique_ptr<WorkerClient>> workers_;
};

}  // namespace polygraphy
