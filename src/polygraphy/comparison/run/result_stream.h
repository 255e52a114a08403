// Results of running models, iteration by iteration: from runners, from files, or from memory.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "polygraphy/data/results/results.h"
#include "polygraphy/data/results/torch_reader.h"

namespace polygraphy {

class ResultStream {
 public:
  virtual ~ResultStream() = default;
  // One result per runner, or nullopt after the last iteration. Throws Error.
  virtual std::optional<std::vector<IterationResult>> next() = 0;
  // No more results are wanted: finishes what next() would finish after the last iteration. May be
  // called again.
  virtual void close() {}
  // After an error somewhere: like close(), as far as that is possible.
  virtual void abandon() noexcept {}
};

// One --load-outputs path. Nothing is opened before the first next(). `deferred`: arrays are read
// when they are wanted (IterationResult::output), until the following next().
std::unique_ptr<ResultStream> loaded_results(std::string path, Logger& log, bool deferred = false,
                                             TorchReader torch = {});

// Results in memory, which must stay alive.
std::unique_ptr<ResultStream> stored_results(const RunResults& results);

// Results of another stream behind `edit`, which changes or checks those of an iteration.
std::unique_ptr<ResultStream> edited(std::unique_ptr<ResultStream> inner,
                                     std::function<void(std::vector<IterationResult>&)> edit);

}  // namespace polygraphy
