// Chooses the algorithm for each layer: recorded, or as recorded before (TensorRT 10).
#pragma once

#include <memory>

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// A configuration uses it during a build.
class TacticSelector {
 public:
  virtual ~TacticSelector() = default;
  // After the build. Throws pgb::Failure: an algorithm of --load-tactics is not among those that
  // the builder has.
  virtual void rethrow_failure() = 0;
  // Writes the file of --save-tactics. Throws pgb::Failure.
  virtual void save() = 0;
};

// Null: neither option is given. Timings decide without a cache then, unless one is loaded. Throws
// pgb::Failure for a file of another kind.
std::shared_ptr<TacticSelector> make_tactic_selector(nv::IBuilderConfig& config, Logger& logger,
                                                     const pgb::Options& options);

}  // namespace tensorrt::TENSORRT_FAMILY
