// How much of an engine's streamable weights stays in the GPU's memory.
#pragma once

#include <string>

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// A number of bytes, or a share in percent; -1 and -2 have special meanings.
struct WeightBudget {
  double number;
  bool is_share;
};
// Throws pgb::Failure.
WeightBudget weight_budget(const std::string& text);

// --weight-streaming-budget: bytes, a share (30%), -1 (TensorRT decides) or -2 (all of them).
// Before a context is made. Throws pgb::Failure.
void set_weight_streaming(nv::ICudaEngine& engine, const Library& library, Logger& logger,
                          const pgb::Options& options);

}  // namespace tensorrt::TENSORRT_FAMILY
