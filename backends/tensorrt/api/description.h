// Networks and engines as TensorRT sees them.
#pragma once

#include <string>

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// The JSON of pgb_inspect.network. Throws pgb::Failure where the model does not parse.
std::string network_json(const Library& library, Logger& logger, const pgb_model& model,
                         const pgb::Options& options);

}  // namespace tensorrt::TENSORRT_FAMILY
