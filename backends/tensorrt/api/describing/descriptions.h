// Models, networks and engines as TensorRT sees them: the JSON texts of pgb_inspect.
#pragma once

#include <string>

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// The nodes that the parser supports. Throws pgb::Failure where the model cannot be read at all.
std::string capability_json(const Library& library, Logger& logger, const pgb_model& model,
                            const pgb::Options& options);

// The network. Throws pgb::Failure where the model does not parse.
std::string network_json(const Library& library, Logger& logger, const pgb_model& model,
                         const pgb::Options& options);
// The same, and the weights behind it.
void deliver_network(const Library& library, Logger& logger, const pgb_model& model,
                     const pgb::Options& options, pgb_bytes_fn deliver, void* context);

// The engine. Needs the driver. Throws pgb::Failure.
std::string engine_json(const Library& library, Logger& logger, const pgb_model& plan,
                        const pgb::Options& options);

}  // namespace tensorrt::TENSORRT_FAMILY
