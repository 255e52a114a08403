// Describes an engine as JSON of pgb_inspect.
#pragma once

#include <string>

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// Needs the driver. Throws pgb::Failure.
std::string engine_json(const Library& library, Logger& logger, const pgb_model& plan,
                        const pgb::Options& options);

}  // namespace tensorrt::TENSORRT_FAMILY
