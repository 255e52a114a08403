// A plan that a runtime has read.
#pragma once

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

class Plan {
 public:
  // Loads --plugins and --load-runtime. The driver is open by then. Throws pgb::Failure: no plan,
  // or a plan of another version or GPU.
  Plan(const Library& library, Logger& logger, const pgb_model& plan, const pgb::Options& options);

  nv::ICudaEngine& engine() { return *engine_; }

 private:
  // Destroyed in the reverse order: the engine before its runtime.
  Owned<nv::IRuntime> runtime_, lean_;
  Owned<nv::ICudaEngine> engine_;
};

}  // namespace tensorrt::TENSORRT_FAMILY
