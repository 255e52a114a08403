// How int8 is calibrated, with TensorRT 10.
#pragma once

#include <memory>
#include <string>

#include "tensorrt/api/building/profiles.h"
#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// --quantization-flags: those that are named on, all others off.
void set_quantization_flags(nv::IBuilderConfig& config, const Library& library,
                            const pgb::Options& options);

// The calibrator of a configuration, which uses it during a build.
class Calibration {
 public:
  virtual ~Calibration() = default;
  // Throws pgb::Failure: why a build that failed had no batch.
  virtual void rethrow_failure() = 0;
  // The remedy for a build that failed for another reason; empty: not known.
  virtual std::string hint() const = 0;
};

// For --int8: --calibration-cache has the scales, or they are found with the host's batches, of the
// profile's optimum shapes, and saved there. Null: not wanted, or the network is quantized already.
// Throws pgb::Failure: there is neither a cache nor a batch; no driver.
std::shared_ptr<Calibration> make_calibrator(nv::IBuilderConfig& config,
                                             const nv::INetworkDefinition& network,
                                             const AddedProfile& profile, Logger& logger,
                                             const pgb::Options& options);

}  // namespace tensorrt::TENSORRT_FAMILY
