// Timings of layers that were measured once, kept in a file.
#pragma once

#include "tensorrt/api/headers.h"
#include "tensorrt/api/logger.h"

namespace tensorrt::TENSORRT_FAMILY {

// --load-timing-cache; without it, or where it is missing (a warning), an empty one. The
// configuration uses it as long as it lives. Throws pgb::Failure.
Owned<nv::ITimingCache> load_timing_cache(nv::IBuilderConfig& config, Logger& logger,
                                          const pgb::Options& options);
// --save-timing-cache, after a build: keeps the entries of the file. Throws pgb::Failure.
void save_timing_cache(nv::IBuilderConfig& config, Logger& logger, const pgb::Options& options);

}  // namespace tensorrt::TENSORRT_FAMILY
