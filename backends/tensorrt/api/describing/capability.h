// The nodes of an ONNX model that TensorRT's parser supports.
#pragma once

#include <string>

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// The JSON of pgb_inspect.capability. Throws pgb::Failure where the model cannot be read at all.
std::string capability_json(const Library& library, Logger& logger, const pgb_model& model,
                            const pgb::Options& options);

}  // namespace tensorrt::TENSORRT_FAMILY
