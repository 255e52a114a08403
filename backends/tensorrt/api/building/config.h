// The builder's configuration, out of the options.
#pragma once

#include <string>

#include "tensorrt/api/building/network.h"
#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

class Calibration;
class TacticSelector;

struct Configuration {
  // Used by the last.
  Owned<nv::ITimingCache> timing_cache;
  std::shared_ptr<Calibration> calibration;  // may be null
  std::shared_ptr<TacticSelector> tactics;   // likewise
  Owned<nv::IBuilderConfig> config;
};

// With profiles, and a timing cache: --load-timing-cache, or an empty one. Throws pgb::Failure: an
// option that this TensorRT lacks, or a value that it does not know.
Configuration make_config(Network& network, const Library& library, Logger& logger,
                          const pgb::Options& options);

// The lines that are logged before a build: title and value of each choice.
std::string config_text(nv::IBuilderConfig& config, const nv::INetworkDefinition& network);

}  // namespace tensorrt::TENSORRT_FAMILY
