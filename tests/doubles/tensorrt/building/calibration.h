// Int8 calibration, of versions that have it: asks the calibrator for its cache, or for batches.
#pragma once

#include "building/config.h"
#include "building/network.h"

namespace tensorrt_double {

// Does nothing unless the configuration has a calibrator and the flag for int8.
void calibrate(const NetworkImpl& network, const ConfigImpl& config);

}  // namespace tensorrt_double
