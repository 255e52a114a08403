// Plugins: TensorRT's own and the user's.
#pragma once

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// Opens --plugins, and registers TensorRT's own: before a model is parsed, or an engine loaded.
// Throws pgb::Failure for a library that does not load.
void load_plugins(const Library& library, Logger& logger, const pgb::Options& options);

}  // namespace tensorrt::TENSORRT_FAMILY
