// A plan that is loaded and runs on the GPU.
#pragma once

#include <memory>

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// Throws pgb::Failure: no GPU, or a plan of another version, GPU or system, or a damaged one.
std::unique_ptr<Engine> load_engine(const Library& library, Logger& logger, const pgb_model& plan,
                                    const pgb::Options& options);

}  // namespace tensorrt::TENSORRT_FAMILY
