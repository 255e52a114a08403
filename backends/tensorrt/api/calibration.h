// How int8 is calibrated, with TensorRT 10.
#pragma once

#include <memory>

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// --quantization-flags: those that are named on, all others off.
void set_quantization_flags(nv::IBuilderConfig& config, const Library& library,
                            const pgb::Options& options);

// A calibrator that --calibration-cache is read by, where --int8 asks for one; the configuration
// uses it as long as it lives. Null: none is wanted, or the network is quantized already. Throws
// pgb::Failure: a cache that is not there.
std::shared_ptr<void> make_calibrator(nv::IBuilderConfig& config,
                                      const nv::INetworkDefinition& network, Logger& logger,
                                      const pgb::Options& options);

}  // namespace tensorrt::TENSORRT_FAMILY
