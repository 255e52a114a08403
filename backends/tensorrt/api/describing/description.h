// Networks and engines as TensorRT sees them.
#pragma once

#include <string>

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// The JSON of pgb_inspect.network. Throws pgb::Failure where the model does not parse.
std::string network_json(const Library& library, Logger& logger, const pgb_model& model,
                         const pgb::Options& options);

// The same, and the weights behind it (pgb_inspect.network_with_weights).
void deliver_network(const Library& library, Logger& logger, const pgb_model& model,
                     const pgb::Options& options, pgb_bytes_fn deliver, void* context);

}  // namespace tensorrt::TENSORRT_FAMILY
